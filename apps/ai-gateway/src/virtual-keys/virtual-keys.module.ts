import { Clock } from '@gatehouse/service-kit/clock';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { Log } from '@gatehouse/service-kit/log';
import { type DynamicModule, Inject, Module, type OnModuleInit, type OnApplicationShutdown } from '@nestjs/common';
import { Admission } from '../admission/admission.ts';
import { KeyDirectory } from '../identity/key-directory.ts';
import { ManagerClient } from '../manager/manager-client.ts';
import { CachedKeyDirectory } from './cached-key-directory.ts';
import { KeyFeed, type KeyFeedListener } from './key-feed.ts';

// A change of the system clock neither ends nor extends a lease.
const now = () => performance.now();

/** Returns the leases of changed keys at once, after the directory has forgotten the keys. */
export const createKeyListener = (
  directory: KeyFeedListener,
  admission: Pick<Admission, 'forget'>,
): KeyFeedListener => ({
  handleChangedKeys: (keyIds) => {
    directory.handleChangedKeys(keyIds);
    for (const keyId of keyIds) admission.forget(`key:${keyId}`);
  },
  handleChangedGroups: () => directory.handleChangedGroups(),
  handleReset: () => directory.handleReset(),
});

/** Provides the virtual keys of the enterprise manager. */
@Module({})
export class VirtualKeysModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(KeyFeed) private readonly feed: KeyFeed,
    @Inject(KeyDirectory) private readonly directory: CachedKeyDirectory,
    @Inject(Admission) private readonly admission: Admission,
  ) {}

  /**
   * Creates the module of a running service with an enterprise manager.
   * @param awaySeconds how long known keys are used while the enterprise manager does not answer
   */
  static of(awaySeconds: number): DynamicModule {
    const openFeed = (manager: ManagerClient, log: Log) =>
      new KeyFeed(manager, new FeedLease(awaySeconds, now), log, now);
    const open = (manager: ManagerClient, feed: KeyFeed, clock: Clock) =>
      new CachedKeyDirectory(manager, feed, { now, wallNow: () => clock.now().getTime() });
    return {
      module: VirtualKeysModule,
      providers: [
        { provide: KeyFeed, useFactory: openFeed, inject: [ManagerClient, Log] },
        { provide: KeyDirectory, useFactory: open, inject: [ManagerClient, KeyFeed, Clock] },
      ],
      exports: [KeyDirectory],
    };
  }

  onModuleInit(): void {
    this.feed.start(createKeyListener(this.directory, this.admission));
  }

  onApplicationShutdown(): Promise<void> {
    return this.feed.stop();
  }
}
