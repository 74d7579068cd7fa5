import { AppError } from '../../contract/index.js';
import { loadConfig, type Config, type Environment } from '../../config/index.js';
import { createApiClient } from '../../client/index.js';
import { controlGateway } from '../../testing/index.js';
import type { DevStackFacts } from '../dev/index.js';
import type { Scene, SceneResult, Sight, Stage } from './scene.js';
import { SCENES } from './scenes.js';

/** Ignores configured servers and instances: they have other workers and real recipients. */
export function demoConfig({ env, cwd }: { readonly env: Environment; readonly cwd: string }, dataDir: string): Config {
  const kept = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH', 'EVERPOST_LOG_LEVEL'];
  const own = Object.fromEntries(kept.map((name) => [name, env[name]]));
  const settings = {
    ...own,
    EVERPOST_LOG_LEVEL: own['EVERPOST_LOG_LEVEL'] ?? 'error',
    EVERPOST_DATA_DIR: dataDir,
    EVERPOST_HTTP_PORT: '0',
    // The simulated review decides within a second, so the demo polls it every second.
    EVERPOST_TEMPLATE_POLL_INTERVALS: '1s',
  };
  return loadConfig(settings, { cwd });
}

/** Plays all scenes and prints the results. @returns whether every scene showed the expected result */
export async function playDemo(
  { apiUrl, simulatorUrl, temporalUiUrl }: DevStackFacts,
  stopping: AbortSignal,
  output: DemoOutput,
  keep: true | undefined,
): Promise<boolean> {
  if (simulatorUrl === undefined) throw new Error('The demo has no simulator.');
  const api = createApiClient({ url: apiUrl });
  try {
    const results = await playScenes(SCENES, { api, simulator: controlGateway(simulatorUrl), stopping }, output);
    const failed = results.filter(({ succeeded }) => !succeeded).length;
    for (const line of ['', ...resultTable(results), '']) output.out(line);
    output.out(
      failed === 0 ? `All ${results.length} scenes succeeded.` : `${failed} of ${results.length} scenes failed.`,
    );
    output.out(closingText(keep, temporalUiUrl));
    return failed === 0;
  } finally {
    await api.close();
  }
}

/** Names the address of the Web UI only with `--keep`, since the Web UI ends with the demo. */
export function closingText(keep: true | undefined, temporalUiUrl: string | undefined): string {
  const what = 'Each single message, campaign and template is a Temporal workflow';
  if (keep) return `${what}. See them in the Web UI: ${temporalUiUrl}`;
  return `${what}. To see them in the Web UI: npm run demo -- --keep`;
}

export interface DemoOutput {
  out(line: string): void;
  /** Overwrites the last line on a terminal; undefined where output goes to a file or a pipe. */
  readonly live?: (line: string) => void;
}

/** Plays every scene and prints its progress. A scene that throws counts as failed; the others still play. */
export async function playScenes(
  scenes: readonly Scene[],
  stage: Omit<Stage, 'tell'>,
  terminal: DemoOutput,
): Promise<SceneResult[]> {
  const results: SceneResult[] = [];
  for (const [index, scene] of scenes.entries()) {
    stage.stopping.throwIfAborted();
    const title = `${index + 1}. ${scene.title}`;
    const begunMs = performance.now();
    const told: string[] = [];
    if (terminal.live === undefined) terminal.out(title);
    const tell = (words: string) => {
      if (told.at(-1) === words) return;
      told.push(words);
      if (terminal.live === undefined) terminal.out(`   ${words}`);
      else terminal.live(`${title}: ${words}`);
    };
    const sight = await scene.play({ ...stage, tell }).catch((error: unknown): Sight => {
      if (!(error instanceof AppError)) throw error;
      return { expected: 'the scene plays to its end', saw: `${error.message} [${error.code}]` };
    });
    stage.stopping.throwIfAborted();
    const result = { title: scene.title, ...sight, succeeded: sight.saw === sight.expected };
    const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
    const verdict = `${result.succeeded ? '✓' : '✗'} ${seconds} s`;
    if (terminal.live === undefined) {
      terminal.out(`   ${verdict}`);
    } else {
      terminal.live('');
      terminal.out(`${title}: ${told.join(' · ')}  ${verdict}`);
    }
    results.push(result);
  }
  return results;
}

/** For each scene: the expected result, the actual result, and whether they are equal. */
export function resultTable(results: readonly SceneResult[]): string[] {
  return results.flatMap(({ title, expected, saw, succeeded }) => [
    `${succeeded ? '✓' : '✗'} ${title}`,
    `    expected  ${expected}`,
    `    saw       ${saw}`,
  ]);
}
