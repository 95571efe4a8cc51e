import type { Issuers } from '@gatehouse/auth/owner-ref';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Log } from '@gatehouse/service-kit/log';
import { DataSource } from 'typeorm';
import { AuditRepository } from './audit.repository.ts';
import { AuditService } from './audit.service.ts';
import { RefusalsService } from './refusals.service.ts';

/**
 * The Nest providers of AuditService and RefusalsService.
 * @param settings injection token of the settings of the service
 */
export const createAuditProviders = (settings: symbol) => [
  {
    provide: AuditService,
    inject: [DataSource, CursorCodec, Clock, settings],
    useFactory: (dataSource: DataSource, cursors: CursorCodec, clock: Clock, { ISSUERS }: { ISSUERS: Issuers }) =>
      new AuditService(new AuditRepository(dataSource), cursors, clock, ISSUERS),
  },
  {
    provide: RefusalsService,
    inject: [DataSource, Clock, Log],
    useFactory: (dataSource: DataSource, clock: Clock, log: Log) =>
      new RefusalsService(new AuditRepository(dataSource), dataSource, clock, log),
  },
];
