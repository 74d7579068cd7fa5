/** Commands as data: arguments, options and help, and the call and output of a command that uses the API. */
import { Option, type Command } from 'commander';
import type { ApiClient } from '../client/index.js';
import { instanceOf, withApi, type CommandContext, type ExitCode } from './command-context.js';
import { byDefault, type Given, type OptionSpec, type Specs } from './options.js';
import { showPage, type Listed } from './table.js';

interface Described<Args extends Specs, Options extends Specs> {
  readonly description: string;
  /** In order, keyed by their help syntax: `<id>`, or `[id]` if optional. */
  readonly arguments?: Args;
  /** Keyed by their flags. */
  readonly options?: Options;
  /** Printed below the options. */
  readonly help?: string;
  /** Runs when only the group is named, e.g. `everpost suppression possible`. */
  readonly isDefault?: true;
}

/** A command with its own action. */
interface FreeCommand<Args extends Specs, Options extends Specs> extends Described<Args, Options> {
  readonly isHidden?: true;
  action(given: Given<Args, Options>, command: Command): Promise<void> | void;
}

/** Dependencies of a call besides its options. */
export interface CallContext extends Pick<CommandContext, 'terminal'> {
  readonly command: Command;
  /** The account of `--instance`, else of EVERPOST_INSTANCE, else the only configured one. */
  instance(): Promise<string>;
}

/** A command that calls the API and prints the response: as JSON with `--json`, else as lines. */
interface CallCommand<Args extends Specs, Options extends Specs, Result> extends Described<Args, Options> {
  /** The help text of `--json`. */
  readonly json: string;
  /** Refuses incompatible options before any request. */
  check?(given: Called<Args, Options>, command: Command): void;
  call(api: ApiClient, given: Called<Args, Options>, context: CallContext): Promise<Result>;
  /** @default done */
  exitCode?(result: Result, given: Called<Args, Options>): ExitCode;
  lines(result: Result, given: Called<Args, Options>, context: CommandContext): string | readonly string[];
  /** Runs after the lines are printed. */
  after?(result: Result, context: CommandContext): Promise<void>;
}

type Called<Args extends Specs, Options extends Specs> = Given<Args, Options> & { readonly json?: true };

/** A command that prints a list from the API. */
interface ListCommand<Options extends Specs, Row>
  extends Omit<Described<Specs, Options>, 'arguments'>, Omit<Listed<Row>, 'page'> {
  /** @default with `--limit` and `--cursor` */
  readonly isWhole?: true;
  call(api: ApiClient, query: Given<Specs, Options> & PageQuery): Promise<Listed<Row>['page']>;
}

interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

/** Options of a list that is shown in pages. */
export const PAGE = {
  '--limit <count>': byDefault('50', 'page size, at most 500'),
  '--cursor <cursor>': 'cursor that the previous page printed',
} as const;
export const PAGE_JSON = 'print { items, cursor } as one line of JSON';

/** All commands, or those of a group, e.g. `everpost message`. */
export class CommandGroup {
  readonly #group: Command;
  readonly context: CommandContext;

  constructor(group: Command, context: CommandContext) {
    this.#group = group;
    this.context = context;
  }

  group(name: string, description: string): CommandGroup {
    return new CommandGroup(this.#group.command(name).description(description), this.context);
  }

  add<const Args extends Specs, const Options extends Specs>(name: string, spec: FreeCommand<Args, Options>): void {
    const { description, help, isHidden: hidden = false, isDefault = false, action } = spec;
    const command = this.#group.command(name, { hidden, isDefault }).description(description);
    for (const [syntax, text] of Object.entries<OptionSpec<unknown> | string>(spec.arguments ?? {})) {
      command.argument(syntax, descriptionOf(text));
    }
    for (const [flags, option] of Object.entries<OptionSpec<unknown> | string>(spec.options ?? {})) {
      const made = new Option(flags, descriptionOf(option));
      command.addOption(typeof option === 'string' ? made : option.shape(made));
    }
    if (help !== undefined) command.addHelpText('after', `\n${help}`);
    command.action(async () => {
      const named = command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]);
      const given = { ...Object.fromEntries(named), ...command.opts() } as Given<Args, Options>;
      await action(given, command);
    });
  }

  call<const Args extends Specs, const Options extends Specs, Result>(
    name: string,
    { json, check, call, exitCode, lines, after, ...spec }: CallCommand<Args, Options, Result>,
  ): void {
    const { context } = this;
    const { terminal } = context;
    const options = { ...spec.options, '--json': json };
    this.add<Args, Specs>(name, {
      ...spec,
      options,
      action: async (all, command) => {
        const given = all as Called<Args, Options> & { readonly instance?: string };
        check?.(given, command);
        const result = await withApi(context, (api) =>
          call(api, given, { terminal, command, instance: () => instanceOf(api, context, given.instance) }),
        );
        if (exitCode !== undefined) context.exitCode = exitCode(result, given);
        if (given.json) return terminal.out(JSON.stringify(result));
        for (const line of [lines(result, given, context)].flat()) terminal.out(line);
        await after?.(result, context);
      },
    });
  }

  list<const Options extends Specs, Row>(
    name: string,
    { isWhole, call, columns, what, ...spec }: ListCommand<Options, Row>,
  ): void {
    const paging = isWhole ? { '--json': 'print { items } as one line of JSON' } : { ...PAGE, '--json': PAGE_JSON };
    this.add<Specs, Specs>(name, {
      ...spec,
      options: { ...spec.options, ...paging },
      action: async (given) => {
        const { json, ...query } = given as Given<Specs, Options> & PageQuery & { readonly json?: true };
        const page = await withApi(this.context, (api) => call(api, query as Given<Specs, Options> & PageQuery));
        showPage(this.context, json, { columns, page, what });
      },
    });
  }
}

function descriptionOf(spec: OptionSpec<unknown> | string): string {
  return typeof spec === 'string' ? spec : spec.description;
}
