import { Flags } from '@oclif/core';
import { GatehouseCommand } from './base-command.ts';
import { loadCliConfig, managerEnvironment, terminal } from '../config/config.ts';
import { detailLines } from '../terminal/detail-view.ts';
import type { ShownConfig } from '../services/config.ts';
import type { Manager } from '../services/manager/manager.ts';
import type { OwnConnector } from '../services/manager/own-connectors.ts';
import type { NameResolver, Subject } from '../services/manager/names.ts';
import { printable } from '../terminal/output.ts';

/** A column of a table: its head, and the text of one row. An absent value is shown as `-`. */
export type Column<T> = readonly [head: string, cell: (row: T) => string | number | boolean | undefined];

/** The maximum number of users and groups in a table whose names are read from the directory. */
const MOST_NAMES = 200;

/** The base of commands that call the enterprise manager. */
export abstract class ManagerCommand extends GatehouseCommand {
  static override baseFlags = {
    ...GatehouseCommand.baseFlags,
    url: Flags.string({ description: 'address of the enterprise manager (default: that of the last login)' }),
    'token-file': Flags.string({ description: 'file with an access token, instead of a sign-in' }),
  };

  /** A client of the manager with the caller's token. */
  protected async manager(flags: { url?: string | undefined; 'token-file'?: string | undefined }): Promise<Manager> {
    const { connect } = await import('../services/manager/connect.ts');
    const { home } = loadCliConfig(this.config.root);
    return connect(home, { url: flags.url, tokenFile: flags['token-file'] }, managerEnvironment());
  }

  /** A client of the control plane of a connector gateway with the caller's token. */
  protected async gateway(flags: {
    url?: string | undefined;
    'token-file'?: string | undefined;
    gateway: string;
  }): Promise<Manager> {
    const { requireGateway } = await import('../services/manager/connect.ts');
    const { home } = loadCliConfig(this.config.root);
    const managerFlags = { url: flags.url, tokenFile: flags['token-file'] };
    return requireGateway(home, flags.gateway, managerFlags, managerEnvironment());
  }

  /** Adds the health of connectors, as the connector gateway reports it. */
  protected async withHealth(
    flags: { url?: string | undefined; 'token-file'?: string | undefined },
    gateway: string,
    connectors: readonly OwnConnector[],
  ): Promise<OwnConnector[]> {
    const { connectToGateway } = await import('../services/manager/connect.ts');
    const { withHealth } = await import('../services/manager/connector-health.ts');
    const { home } = loadCliConfig(this.config.root);
    const managerFlags = { url: flags.url, tokenFile: flags['token-file'] };
    const control = connectToGateway(home, gateway, managerFlags, managerEnvironment());
    return withHealth(connectors, control, (sentence) => this.output.say(printable(sentence)));
  }

  /**
   * Prints a list as JSON or as a table. A note on stderr reports an incomplete list.
   * @param none the sentence for an empty list
   */
  protected async showList<T>(
    json: boolean,
    { items, more = false }: { readonly items: readonly T[]; readonly more?: boolean },
    columns: readonly Column<T>[],
    none: string,
  ): Promise<void> {
    if (json) this.output.json(items);
    else if (items.length === 0) this.output.say(none);
    else {
      const { formatTable } = await import('../terminal/table.ts');
      const cells = items.map((row) => columns.map(([, cell]) => printable(String(cell(row) ?? '-'))));
      const colours = process.stdout.isTTY && terminal().colours;
      this.output.line(
        formatTable(
          columns.map(([head]) => head),
          cells,
          colours,
        ),
      );
    }
    if (more) this.output.say(`Only the first ${items.length} are shown; --all shows all`);
  }

  /** The names of users and groups in a table. JSON has ids only. */
  protected async fetchNames(json: boolean, manager: Manager, subjects: readonly Subject[]): Promise<NameResolver> {
    if (json) return (_, id) => id;
    const { uniqueSubjects, fetchNames } = await import('../services/manager/names.ts');
    const all = uniqueSubjects(subjects);
    if (all.length > MOST_NAMES)
      this.output.say(`Names are shown for the first ${MOST_NAMES} users and groups, and ids for the others`);
    return fetchNames(manager, all.slice(0, MOST_NAMES));
  }

  /** Prints one object as JSON or as a table of its fields. */
  protected showOne(json: boolean, value: object): void {
    if (json) this.output.json(value);
    else for (const line of detailLines(value)) this.output.line(line);
  }

  /** Prints the result of a change: the id and the status as JSON, else a sentence on stderr. */
  protected showDone(json: boolean, done: { readonly id: string; readonly status: string }, sentence: string): void {
    if (json) this.output.json(done);
    else this.output.say(printable(sentence));
  }

  /**
   * Prints a secret that is shown only once: the secret alone on stdout, for a pipe, and the
   * sentence on stderr.
   */
  protected showSecret(json: boolean, made: { readonly secret: string }, sentence: string): void {
    if (json) this.output.json(made);
    else {
      this.output.say(printable(sentence));
      this.output.line(printable(made.secret));
    }
  }

  /** Prints a verified configuration: the document on stdout, and notes about it on stderr. */
  protected showConfig(json: boolean, shown: ShownConfig): void {
    if (json) {
      this.output.json(shown);
      return;
    }
    const { manager, source, issued_at: issued, not_after: end, degraded_mode: degraded, config } = shown;
    this.output.say(
      `From ${manager}${source === 'kept' ? ' (stored copy)' : ''}, issued at ${issued}, valid until ${end}`,
    );
    if (degraded && degraded.in_force !== false) {
      this.output.say(
        printable(`Degraded mode (${degraded.policy}, for ${degraded.grace_period}): ${degraded.message}`),
      );
    }
    this.output.json(config);
  }
}

/** The flags of lists. */
export const listFlags = {
  limit: Flags.integer({ description: 'number of rows to show', default: 50, min: 1, max: 100_000 }),
  all: Flags.boolean({ description: 'show all of them', exclusive: ['limit'] }),
};
