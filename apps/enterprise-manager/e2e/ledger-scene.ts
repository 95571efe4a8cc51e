import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';
import type { Dice } from './ledger-dice.ts';
import { type Replica, startReplica } from './replica.ts';

/** Two processes of the service at one database, one of which may be dead at any time. */
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

  /** Whichever the dice name among those that live. */
  any(): Replica | undefined {
    const living = this.living.filter((replica) => replica !== undefined);
    return living.length === 0 ? undefined : this.dice.pick(living);
  }

  /** `kill -9` of one in the middle of whatever it does; another takes its place. */
  async killOne(): Promise<void> {
    const at = this.dice.between(0, 1);
    const doomed = this.living[at];
    if (doomed === undefined) return;
    doomed.process.signal('SIGKILL');
    this.kills += 1;
    // Who calls it meanwhile gets no answer, as of a process that has just died.
    await sleep(this.dice.between(0, 100));
    this.living[at] = undefined;
    await doomed.kill();
    this.living[at] = await startReplica(this.manager);
  }

  async stop(): Promise<void> {
    await Promise.all(this.living.flatMap((replica) => (replica === undefined ? [] : [replica.kill()])));
  }
}
