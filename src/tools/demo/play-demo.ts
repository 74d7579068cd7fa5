import { loadConfig, type Config, type Environment } from '../../config/index.js';
import { createApiClient } from '../../client/index.js';
import { controlGateway } from '../../testing/index.js';
import type { DevStackFacts } from '../dev/index.js';
import { playScenes, resultTable, type DemoOutput } from './play-scenes.js';
import type { SceneResult } from './scene.js';
import { SCENES } from './scenes.js';

/** The demo plays alone: a configured server has other workers, a configured instance has recipients behind it. */
export function demoConfig(env: Environment, cwd: string): Config {
  const kept = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH', 'EVERPOST_LOG_LEVEL'];
  const own = Object.fromEntries(kept.map((name) => [name, env[name]]));
  const level = own['EVERPOST_LOG_LEVEL'] ?? 'error';
  // Reviewers who answer within a second are asked as often.
  return loadConfig({ ...own, EVERPOST_LOG_LEVEL: level, EVERPOST_TEMPLATE_POLL_INTERVALS: '1s' }, { cwd });
}

/** Whether every scene was played and showed what was expected. */
export function isAllShown(results: readonly SceneResult[]): boolean {
  return results.length === SCENES.length && results.every(({ cameTrue }) => cameTrue);
}

/** Plays all scenes and prints what they showed. */
export async function playDemo(
  { apiUrl, simulatorUrl, temporalUiUrl }: DevStackFacts,
  stopping: AbortSignal,
  output: DemoOutput,
  keep: true | undefined,
): Promise<SceneResult[]> {
  if (simulatorUrl === undefined) throw new Error('The demo has no simulator.');
  const api = createApiClient({ url: apiUrl });
  try {
    const results = await playScenes(SCENES, { api, simulator: controlGateway(simulatorUrl), stopping }, output);
    const failed = results.filter(({ cameTrue }) => !cameTrue).length;
    for (const line of ['', ...resultTable(results), '']) output.out(line);
    output.out(failed === 0 ? 'All of it succeeded.' : `${failed} of ${results.length} did not come true.`);
    output.out(closingText(keep, temporalUiUrl));
    return results;
  } finally {
    await api.close();
  }
}

/** The Web UI ends with the demo: its address is named only where it stays. */
export function closingText(keep: true | undefined, temporalUiUrl: string | undefined): string {
  const what = 'Each single message is a workflow of Temporal, and so is each campaign and template';
  if (keep) return `${what}: see its Web UI, ${temporalUiUrl}`;
  return `${what}. To look at them in Temporal's Web UI: npm run demo -- --keep`;
}
