// A loop that posts and records nothing: what the gateway and undici allow on this machine. Started again, it begins at
// the first message, because it does not know better.
import { concurrently, gateway, numbersBelow, serve } from './role.js';

await serve({
  worker: async ({ gatewayUrl, messages }) => {
    const { post } = gateway(gatewayUrl);
    process.once('message', () => {
      void concurrently(numbersBelow(messages), post).then(() => process.send?.({ finished: true }));
    });
  },
});
