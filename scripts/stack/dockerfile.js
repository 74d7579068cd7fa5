// Plays the steps of the Dockerfile in folders of this machine, so that a file that the image lacks is missed here too.
// What the script does not know is an error.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OF_THE_START = ['ENV', 'USER', 'ENTRYPOINT', 'CMD'];

/**
 * @param {string} root  of the repository
 * @param {string} dir   an empty folder; gets one folder a stage
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the working folder of the last stage, which has only what it adds to its base image
 * @throws Error for an instruction or a form of it that is not known here, and for a step that fails
 */
export async function buildImage(root, dir, say) {
  say('building everpost:local by the steps of the Dockerfile');
  const isIgnored = ignoredBy(await readFile(join(root, '.dockerignore'), 'utf8'));
  /** @type {Map<string, string>} the folder of each stage */
  const stages = new Map();
  let stage = '';
  let workDir = '/';
  for (const { instruction, rest } of instructionsOf(await readFile(join(root, 'Dockerfile'), 'utf8'))) {
    /** @param {string} path  in the image */
    const here = (path) => join(stage, path.startsWith('/') ? path : join(workDir, path));
    if (instruction === 'FROM') {
      const [, name] = / AS (\w+)$/.exec(rest) ?? [];
      [stage, workDir] = [join(dir, name ?? 'image'), '/'];
      stages.set(name ?? 'image', stage);
      await mkdir(stage, { recursive: true });
    } else if (instruction === 'WORKDIR') {
      workDir = rest;
      await mkdir(join(stage, workDir), { recursive: true });
    } else if (instruction === 'COPY') {
      const [, from, paths = ''] = /^(?:--from=(\w+) )?([^-].*)$/.exec(rest) ?? [];
      const source = from === undefined ? root : stages.get(from);
      if (source === undefined || paths === '') throw new Error(`The Dockerfile copies from what it lacks: ${rest}`);
      const names = paths.split(' ');
      const target = names.pop() ?? '';
      for (const name of names) {
        const to = target.endsWith('/') ? here(join(target, basename(name))) : here(target);
        const filter =
          from === undefined ? (/** @type {string} */ path) => !isIgnored(relative(root, path)) : undefined;
        await mkdir(dirname(to), { recursive: true });
        await cp(join(source, name), to, { recursive: true, verbatimSymlinks: true, ...(filter && { filter }) });
      }
    } else if (instruction === 'RUN') {
      // The base image's own packages: this machine has them.
      if (rest.startsWith('apt-get ')) continue;
      const command = rest.replaceAll(/(?<=^|\s)\/(?=everpost\b|var\/lib\/everpost\b)/g, `${stage}/`);
      await run('sh', ['-ec', command], { cwd: join(stage, workDir), maxBuffer: 2 ** 24 });
    } else if (!OF_THE_START.includes(instruction)) {
      throw new Error(`scripts/stack does not know ${instruction} of the Dockerfile`);
    }
  }
  const { stdout: size } = await run('du', ['-sm', '--apparent-size', stage]);
  say(`everpost:local adds ${parseInt(size, 10)} MB to its base image`);
  return join(stage, workDir);
}

/**
 * How a container of the image starts, but for what the compose file says.
 * @param {string} dockerfile
 * @returns {{ entrypoint: readonly string[], env: Readonly<Record<string, string>> }}
 */
export function startOf(dockerfile) {
  const last = new Map(instructionsOf(dockerfile).map(({ instruction, rest }) => [instruction, rest]));
  const variables = [...(last.get('ENV') ?? '').matchAll(/(\w+)=(\S+)/g)];
  return {
    entrypoint: JSON.parse(last.get('ENTRYPOINT') ?? '[]'),
    env: Object.fromEntries(variables.map(([, name = '', value = '']) => [name, value])),
  };
}

/**
 * @param {string} dockerfile
 * @returns {{ instruction: string, rest: string }[]}
 */
function instructionsOf(dockerfile) {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [instruction = ''] = line.split(' ', 1);
      return { instruction, rest: line.slice(instruction.length).trim() };
    });
}

/**
 * @param {string} text  of .dockerignore: names at the top, `*.log` there, and `**` before names at any depth
 * @returns {(path: string) => boolean}
 */
function ignoredBy(text) {
  const patterns = text.split('\n').filter((line) => line !== '');
  const [atAnyDepth, atTop] = [
    patterns.filter((line) => line.startsWith('**/')),
    patterns.filter((line) => !line.includes('/')),
  ];
  if (atAnyDepth.length + atTop.length < patterns.length) throw new Error('scripts/stack cannot honour .dockerignore');
  return (path) => {
    const names = path.split('/');
    const [top = ''] = names;
    return (
      atAnyDepth.some((pattern) => names.includes(pattern.slice(3))) ||
      atTop.some((pattern) => (pattern.startsWith('*') ? top.endsWith(pattern.slice(1)) : top === pattern))
    );
  };
}
