import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';
import type { Dice } from './ledger-dice.ts';
import { type Replica, startReplica } from './replica.ts';

/** Two replicas of the service with one database; one may be stopped at any time. */
export class TwoReplicas {
  private readonly living: (Replica | undefined)[] = [undefined, undefined];
  kills = 0;

  constructor(
    private readonly manager: TestManager,
    private readonly dice: Dice,
  ) {}

  async start(): Promise<void> {
    await Promise.all([0, 1].map(async (at) => (this.living[at] = await startReplica(this.manager))));
  }

  /** Returns a random running replica. */
  any(): Replica | undefined {
    const living = this.living.filter((replica) => replica !== undefined);
    return living.length === 0 ? undefined : this.dice.pick(living);
  }

  /** Kills a random replica with SIGKILL during its work and starts another in its place. */
  async killOne(): Promise<void> {
    const at = this.dice.between(0, 1);
    const doomed = this.living[at];
    if (doomed === undefined) return;
    doomed.process.signal('SIGKILL');
    this.kills += 1;
    // Calls to the killed replica get no answer in this time.
    await sleep(this.dice.between(0, 100));
    this.living[at] = undefined;
    await doomed.kill();
    this.living[at] = await startReplica(this.manager);
  }

  async stop(): Promise<void> {
    await Promise.all(this.living.flatMap((replica) => (replica === undefined ? [] : [replica.kill()])));
  }
}
