import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VARIABLES, envExample, type Variable } from '../../src/config/index.js';

const ROOT = new URL('../../', import.meta.url);

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8');
}

describe('the list of variables', () => {
  it('is the content of .env.example', () => {
    expect(read('.env.example')).toBe(envExample());
  });

  it.each(Object.values<Variable<unknown>>(VARIABLES).map((variable) => [variable.name, variable] as const))(
    'is in docs/configuration.md with the same default: %s',
    (name, variable) => {
      const row = read('docs/configuration.md')
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\``));
      expect(row).toContain(
        variable.default === undefined || variable.default === '' ? name : `\`${variable.default}\``,
      );
    },
  );

  it('has only defaults that the configuration reads', () => {
    for (const variable of Object.values<Variable<unknown>>(VARIABLES)) {
      if (variable.default !== undefined)
        expect(() => variable.parse(variable.default ?? '', { cwd: '/' })).not.toThrow();
    }
  });
});
