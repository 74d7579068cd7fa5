// Runs the packed @everpost/client against a server that loses its first response: the same send is repeated.
import { createServer } from 'node:http';
import { createClient } from '@everpost/client';

/** @type {(string | string[] | undefined)[]} */
const keys = [];
const server = createServer((request, response) => {
  keys.push(request.headers['idempotency-key']);
  if (keys.length === 1) return void request.socket.destroy();
  response.writeHead(202, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'msg_1', state: 'pending', instance: 'main', kind: 'text' }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('The server has no port.');

const everpost = createClient({ baseUrl: `http://127.0.0.1:${address.port}` });
const body = /** @type {const} */ ({ instance: 'main', to: '15551234567', content: { kind: 'text', text: 'Hello' } });
const { id } = await everpost.sendMessage({ body });
server.close();
if (id !== 'msg_1' || keys.length !== 2 || keys[0] !== keys[1])
  throw new Error(`It sent ${JSON.stringify({ id, keys })}.`);
