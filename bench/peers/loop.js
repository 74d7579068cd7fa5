// A loop that posts and records nothing: the upper limit of gateway and undici on this machine. After a restart it
// begins at the first message, because it stores no progress.
import { concurrently, gateway, numbersBelow, serve } from './role.js';

await serve({
  worker: async ({ gatewayUrl, messages }) => {
    const { post } = gateway(gatewayUrl);
    process.once('message', () => {
      void concurrently(numbersBelow(messages), post).then(() => process.send?.({ finished: true }));
    });
  },
});
