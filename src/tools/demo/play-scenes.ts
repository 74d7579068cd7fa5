import { AppError } from '../../contract/index.js';
import type { Scene, SceneResult, Stage } from './scene.js';

/** Where the demo prints. */
export interface DemoOutput {
  out(line: string): void;
  /** Overwrites the last line on a terminal; undefined where output goes to a file or a pipe. */
  readonly live?: (line: string) => void;
}

/**
 * Plays every scene and prints its progress. A scene that throws counts as failed; the others still play.
 */
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
    const sight = await playOne(scene, { ...stage, tell });
    stage.stopping.throwIfAborted();
    const result = { title: scene.title, ...sight, cameTrue: sight.saw === sight.expected };
    const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
    const verdict = `${result.cameTrue ? '✓' : '✗'} ${seconds} s`;
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

async function playOne(scene: Scene, stage: Stage): Promise<{ expected: string; saw: string }> {
  try {
    return await scene.play(stage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { expected: 'to be played to its end', saw: `${error.message} [${error.code}]` };
  }
}

/** The result, scene by scene: what was expected and seen, and whether they are equal. */
export function resultTable(results: readonly SceneResult[]): string[] {
  return results.flatMap(({ title, expected, saw, cameTrue }) => [
    `${cameTrue ? '✓' : '✗'} ${title}`,
    `    expected  ${expected}`,
    `    saw       ${saw}`,
  ]);
}
