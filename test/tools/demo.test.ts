import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../src/client/index.js';
import { closingText } from '../../src/tools/demo/play-demo.js';
import { playScenes, resultTable } from '../../src/tools/demo/play-demo.js';
import type { Scene } from '../../src/tools/demo/scene.js';
import { controlGateway } from '../../src/testing/index.js';
import { AppError } from '../../src/contract/index.js';

const NOWHERE = 'http://127.0.0.1:1';

function aScene(title: string, action: Scene['play']): Scene {
  return { title, play: action };
}

async function play(scenes: readonly Scene[], stopping = new AbortController().signal) {
  const lines: string[] = [];
  const stage = { api: createApiClient({ url: NOWHERE }), simulator: controlGateway(NOWHERE), stopping };
  const results = await playScenes(scenes, stage, { out: (line) => lines.push(line) });
  return { results, lines };
}

describe('the demo', () => {
  it('reports a scene as successful only when it observed the expected result', async () => {
    const { results } = await play([
      aScene('one', () => Promise.resolve({ expected: 'delivered once', saw: 'delivered once' })),
      aScene('two', () => Promise.resolve({ expected: 'delivered once', saw: 'delivered 2 times' })),
    ]);
    expect(results.map(({ succeeded }) => succeeded)).toEqual([true, false]);
    expect(resultTable(results)).toEqual([
      '✓ one',
      '    expected  delivered once',
      '    saw       delivered once',
      '✗ two',
      '    expected  delivered once',
      '    saw       delivered 2 times',
    ]);
  });

  it('plays the other scenes when one fails, and shows the reason', async () => {
    const { results } = await play([
      aScene('one', () => Promise.reject(new AppError('API_UNREACHABLE', 'Nothing answers.'))),
      aScene('two', () => Promise.resolve({ expected: 'x', saw: 'x' })),
    ]);
    expect(results).toMatchObject([
      { succeeded: false, saw: 'Nothing answers. [API_UNREACHABLE]' },
      { succeeded: true },
    ]);
  });

  it('prints each step once, in plain lines without a terminal', async () => {
    const { lines } = await play([
      aScene('one', ({ tell }) => {
        for (const words of ['pending', 'pending', 'delivered']) tell(words);
        return Promise.resolve({ expected: 'x', saw: 'x' });
      }),
    ]);
    expect(lines).toEqual(['1. one', '   pending', '   delivered', expect.stringMatching(/^ {3}✓ \d+\.\d s$/)]);
  });

  it('prints the address of the Web UI at its end only if that stays available', () => {
    const url = 'http://127.0.0.1:8233';
    expect(closingText(undefined, url)).not.toContain('http');
    expect(closingText(undefined, url)).toContain('npm run demo -- --keep');
    expect(closingText(true, url)).toContain(url);
  });

  it('plays no further scene when it is stopped', async () => {
    const stop = new AbortController();
    const scene = aScene('one', () => {
      stop.abort();
      return Promise.resolve({ expected: 'x', saw: 'x' });
    });
    await expect(play([scene, scene], stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
