import type { Backend } from './backend.ts';
import type { Replica, World } from './world.ts';

/** What the tests of one backend share: two replicas of the service on one backend. */
export interface Scene<B extends Backend = Backend> {
  readonly backend: B;
  readonly world: World;
  readonly first: Replica;
  readonly second: Replica;
}
