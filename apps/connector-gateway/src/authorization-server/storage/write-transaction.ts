import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

/** The transaction of one request; it has no runner before the first write. */
interface Scope {
  runner: Promise<QueryRunner> | undefined;
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
  async run(work: () => Promise<void>): Promise<void> {
    const scope: Scope = { runner: undefined };
    try {
      await this.scopes.run(scope, work);
      await (await scope.runner)?.commitTransaction();
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

  /** The manager for a read: that of the transaction after its first write. */
  async getReader(): Promise<EntityManager> {
    const runner = await this.scopes.getStore()?.runner;
    return runner?.manager ?? this.dataSource.manager;
  }

  /** The manager for a write; outside of `run` each write commits by itself. */
  async getWriter(): Promise<EntityManager> {
    const scope = this.scopes.getStore();
    if (scope === undefined) return this.dataSource.manager;
    scope.runner ??= this.begin();
    return (await scope.runner).manager;
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
