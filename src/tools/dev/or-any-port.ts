import { AppError } from '../../contract/index.js';

/**
 * Listens on the default port, or on any free one where another program has it, and says so.
 * @param listen  throws AppError PORT_IN_USE when the port is taken; nothing is probed before, so no other start comes
 *   between
 */
export async function orAnyPort<Listening extends { readonly url: string }>(
  part: string,
  port: number,
  listen: (port: number) => Promise<Listening>,
  notice: (text: string) => void,
): Promise<Listening> {
  try {
    return await listen(port);
  } catch (error) {
    if (port === 0 || !(error instanceof AppError) || error.code !== 'PORT_IN_USE') throw error;
    const listening = await listen(0);
    notice(`Port ${port} is taken by another program. ${part} listens at ${listening.url} instead.`);
    return listening;
  }
}
