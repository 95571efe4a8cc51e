import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import type { Replica, World } from './world.ts';

/** The shared parts of the tests of one backend: two replicas of the service. */
export interface Scene<B extends ResourceBackend = ResourceBackend> {
  readonly backend: B;
  readonly world: World;
  readonly first: Replica;
  readonly second: Replica;
}
