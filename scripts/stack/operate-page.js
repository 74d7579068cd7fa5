// The commands of docs/operate.md that run inside a container.

/**
 * @param {string} page
 * @returns {{ service: string, args: readonly string[] }[]} of each line `docker compose exec SERVICE COMMAND…`
 * @throws Error for a line that has anything else
 */
export function commandsOf(page) {
  return [...page.matchAll(/^docker compose exec (.*)$/gm)].map(([line, rest = '']) => {
    const [, service, command] = /^([a-z][a-z-]*) ([\w./ =-]+)$/.exec(rest) ?? [];
    if (service === undefined || command === undefined) throw new Error(`scripts/stack cannot run: ${line}`);
    return { service, args: command.split(' ') };
  });
}
