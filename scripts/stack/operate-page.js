// The commands of docs/operate.md that run inside a container.

/**
 * @typedef {object} Command
 * @property {string} service
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string>>} variables
 */

/**
 * @param {string} page
 * @returns {Command[]} of each line `docker compose exec -e NAME=value SERVICE COMMAND…`
 * @throws Error for a line that has anything else
 */
export function commandsOf(page) {
  return [...page.matchAll(/^docker compose exec (.*)$/gm)].map(([line, rest = '']) => {
    const found = /^((?:-e \w+=\S+ )*)([a-z][a-z-]*) ([\w./ =-]+)$/.exec(rest);
    if (found === null) throw new Error(`docs/operate.md: scripts/stack cannot run ${line}`);
    const [, options = '', service = '', command = ''] = found;
    const variables = [...options.matchAll(/-e (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
    return { service, args: command.split(' '), variables: Object.fromEntries(variables) };
  });
}
