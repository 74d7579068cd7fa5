import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/commands/run-cli.js';
import { createCommandContext } from '../../src/cli/command-context.js';
import { ROUTES } from '../../src/api/routes/routes.js';
import packageFile from '../../package.json' with { type: 'json' };

/** Programs whose command lines are not ours. */
const OTHERS = [
  'chmod',
  'docker',
  'kubectl',
  'systemctl',
  'systemd-sysusers',
  'go',
  'python3',
  'tcld',
  'temporal',
  'cp',
  'export',
  'install',
  'printf',
  'cat',
  'zcat',
  'cd',
  'grep',
  'promtool',
  'pg_dump',
  'pg_restore',
];
/** Our own scripts that a shell runs. */
const SCRIPTS = /^deploy\/[a-z/-]+\.sh$/;
const NPM_OWN = ['ci', 'install', 'link', 'test', 'pack'];

/** @returns the problem of a documented command; nothing when command, options and routes exist */
export function problemsOf(command: string): string[] {
  return command
    .replaceAll(/\\\n/g, ' ')
    .split(/\s(?:\||&&|;)\s/)
    .flatMap((part) => problemsOfOne(wordsOf(part)));
}

function problemsOfOne(words: readonly string[]): string[] {
  const begins = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const [program = '', ...args] = begins < 0 ? [] : words.slice(begins);
  switch (program) {
    case 'npx':
      return args[0] === 'everpost' ? everpostProblems(args.slice(1)) : [`npx ${args[0]} is not ours`];
    case 'everpost':
      return everpostProblems(args);
    case 'node':
      if (args[0] === 'bin/everpost.js') return everpostProblems(args.slice(1));
      return args[0]?.startsWith('examples/') && existsSync(args[0]) ? [] : [`node ${args[0]} is not ours`];
    case 'sh':
      return SCRIPTS.test(args[0] ?? '') && existsSync(args[0] ?? '') ? [] : [`sh ${args[0]} is not ours`];
    case 'npm':
      return npmProblems(args);
    case 'curl':
      return args.filter((word) => word.includes('/v1/')).flatMap(routeProblems);
    default:
      return OTHERS.includes(program) ? [] : [`${program} is no known program`];
  }
}

function npmProblems([verb = '', script = '']: readonly string[]): string[] {
  if (NPM_OWN.includes(verb)) return [];
  return verb === 'run' && Object.hasOwn(packageFile.scripts, script) ? [] : [`npm ${verb} ${script} is no script`];
}

function routeProblems(url: string): string[] {
  const [path = ''] = url.replace(/^https?:\/\/[^/]+/, '').split('?');
  const isKnown = Object.values(ROUTES).some((route) =>
    new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return isKnown ? [] : [`${path} is no route of the API`];
}

function everpostProblems(args: readonly string[]): string[] {
  let command: Command = buildProgram(createCommandContext(NO_TERMINAL));
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word.startsWith('--')) {
      const [name = ''] = word.split('=');
      if (name === '--help' || name === '--version') continue;
      const option = command.options.find(({ long }) => long === name);
      if (option === undefined) return [`everpost ${nameOf(command)} has no option ${name}`];
      if ((option.required || option.optional) && !word.includes('=')) at += 1;
    } else if (command.commands.length > 0) {
      const found = command.commands.find((one) => one.name() === word);
      // In running text one of several names may stand for all.
      if (found === undefined)
        return /^[A-Z…]/.test(word) ? [] : [`everpost ${nameOf(command)} has no command ${word}`];
      command = found;
    }
  }
  return [];
}

function nameOf(command: Command): string {
  return command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();
}

/** Split as by a shell, without expansions; a # begins a comment. */
function wordsOf(text: string): string[] {
  const words = text.matchAll(/(?:[^\s'"]|'[^']*'|"(?:\\.|[^"\\])*")+/g);
  const all = Array.from(words, ([word]) => word.replaceAll(/['"]/g, ''));
  const comment = all.findIndex((word) => word.startsWith('#'));
  return comment < 0 ? all : all.slice(0, comment);
}

const NO_TERMINAL: Parameters<typeof createCommandContext>[0] = {
  out: () => undefined,
  err: () => undefined,
  bytes: async () => undefined,
  stdin: process.stdin,
  env: {},
  cwd: '/',
};
