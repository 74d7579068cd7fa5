import type { MessageSnapshot } from '../contract/index.js';
import type { DispatcherDependencies } from './dependencies.js';

/** Never throws: a run that is not notified asks for its row itself. */
export async function notifyRun(
  { notify, log }: Pick<DispatcherDependencies, 'notify' | 'log'>,
  snapshot: MessageSnapshot,
): Promise<void> {
  try {
    await notify(snapshot);
  } catch (error) {
    log({ level: 'warn', message: 'a run could not be notified', messageId: snapshot.id, error });
  }
}
