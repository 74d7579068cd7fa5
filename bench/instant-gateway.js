// A gateway that takes every message at once and forgets it: what is measured against it is not the gateway. Run as a
// process.
import { createServer } from 'node:http';

let taken = 0;
const server = createServer((request, response) => {
  const [, method = ''] = /^\/waInstance\d+\/(\w+)/.exec(request.url ?? '') ?? [];
  request.resume();
  request.once('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(responseTo(method)));
  });
});

/** @param {string} method */
function responseTo(method) {
  switch (method) {
    case 'sendMessage':
      taken += 1;
      return { idMessage: `3EB0${String(taken).padStart(16, '0')}` };
    case 'showMessagesQueue':
      return [];
    case 'getStateInstance':
      return { stateInstance: 'authorized' };
    default:
      return {};
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
