import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

/** The transaction of one request; it has no runner before the first write. */
interface Scope {
  runner: Promise<QueryRunner> | undefined;
  /** The last statement: a connection executes one at a time. */
  last: Promise<unknown>;
  readonly afterCommit: (() => void)[];
}

/**
 * The writes of one request as one transaction. It begins at the first write, so a request holds no
 * connection while it waits for another server.
 */
@Injectable()
export class WriteTransaction {
  private readonly scopes = new AsyncLocalStorage<Scope>();

  constructor(private readonly dataSource: DataSource) {}

  /** Runs work whose writes commit together when it resolves, and are undone when it throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope: Scope = { runner: undefined, last: Promise.resolve(), afterCommit: [] };
    try {
      const result = await this.scopes.run(scope, work);
      await (await scope.runner)?.commitTransaction();
      for (const call of scope.afterCommit) call();
      return result;
    } catch (error) {
      await this.undo(scope);
      throw error;
    } finally {
      await scope.runner?.then(
        (runner) => runner.release(),
        () => undefined,
      );
    }
  }

  /** Runs a read, after the first write in the transaction. */
  async read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const scope = this.scopes.getStore();
    return scope?.runner === undefined ? work(this.dataSource.manager) : this.enqueue(scope, scope.runner, work);
  }

  /** Runs a write; outside of `run` each write commits by itself. */
  async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const scope = this.scopes.getStore();
    if (scope === undefined) return work(this.dataSource.manager);
    scope.runner ??= this.begin();
    return this.enqueue(scope, scope.runner, work);
  }

  /** Calls a function after the commit of the request, or at once outside of `run`. */
  afterCommit(call: () => void): void {
    const scope = this.scopes.getStore();
    if (scope === undefined) call();
    else scope.afterCommit.push(call);
  }

  private enqueue<T>(
    scope: Scope,
    runner: Promise<QueryRunner>,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const result = scope.last.then(async () => work((await runner).manager));
    scope.last = result.catch(() => undefined);
    return result;
  }

  private async begin(): Promise<QueryRunner> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      return runner;
    } catch (error) {
      await runner.release();
      throw error;
    }
  }

  /** The first error is the one to report: a broken connection has undone its writes already. */
  private async undo({ runner }: Scope): Promise<void> {
    await runner?.then((begun) => begun.rollbackTransaction()).catch(() => undefined);
  }
}
