import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, VARIABLES } from '../../src/config/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { aFolder } from '../support/folder.js';

const unknown = (env: Record<string, string>) => loadConfig(env, { cwd: '/somewhere' }).unknownVariables;

describe('a variable that everpost does not read', () => {
  it.each([
    ['EVERPOST_HTPP_PORT', 'EVERPOST_HTTP_PORT'],
    ['EVERPOST_API_KEYS_FIEL', 'EVERPOST_API_KEYS_FILE'],
    ['EVERPOST_HTTP_PORT_FILE', undefined],
    ['EVERPOST_DATADIR', 'EVERPOST_DATA_DIR'],
    ['EVERPOST_data_dir', undefined],
    [`EVERPOST_${'X'.repeat(100_000)}`, undefined],
  ])('%.30s is reported, with the nearest name', (name, nearest) => {
    expect(unknown({ [name]: 'secret-value' })).toEqual([nearest === undefined ? { name } : { name, nearest }]);
  });

  it('is none that everpost reads, in any form, nor of another program', () => {
    const all = Object.values(VARIABLES).map(({ name }) => [name, ''] as const);
    const others = { EVERPOST_SOURCE_CRM: 'x', EVERPOST_API_KEYS_FILE: '', TEMPORAL_ADDRESS: '', HTTP_PORT: '1' };
    expect(unknown({ ...Object.fromEntries(all), ...others })).toEqual([]);
  });

  it('is none that the instances file names', () => {
    const file = join(aFolder(), 'instances.json');
    writeFileSync(file, JSON.stringify({ main: { apiTokenInstance: { env: 'EVERPOST_MAIN_TOKEN' } } }));
    const env = { EVERPOST_INSTANCES_FILE: file, EVERPOST_MAIN_TOKEN: 'x', EVERPOST_OTHER_TOKEN: 'x' };
    expect(unknown(env)).toEqual([{ name: 'EVERPOST_OTHER_TOKEN' }]);
  });

  it('is shown by the doctor without its value, and counts as no problem', async () => {
    const env = { EVERPOST_DATADIR: 'secret-value', EVERPOST_DATA_DIR: aFolder() };
    const { out } = await everpost(['doctor'], { env });
    expect(out.join('\n')).toContain('advice  environment      EVERPOST_DATADIR is no variable of everpost');
    expect(out.join('\n')).toContain('→ Did you mean EVERPOST_DATA_DIR? docs/configuration.md lists all variables.');
    expect(out.join('\n')).not.toContain('secret-value');
  });
});
