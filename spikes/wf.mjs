import { proxyActivities, proxyLocalActivities, setHandler, defineSignal, condition, sleep } from '@temporalio/workflow';
const { record } = proxyLocalActivities({ startToCloseTimeout: '10s' });
const { sendMessage } = proxyActivities({ startToCloseTimeout: '26 hours', retry: { initialInterval: '1s', maximumInterval: '1 minute' } });
export async function message(input) {
  let ended = false;
  setHandler(defineSignal('ended'), () => { ended = true; });
  await record(input);
  const r = await sendMessage(input);
  await condition(() => ended, input.editMs);
  return r;
}
