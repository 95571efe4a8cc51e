import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { HttpError } from '../errors/http-error.ts';
import { Public } from '../routes/access.ts';
import { Operation } from '../routes/operation.ts';
import { Log } from './log.ts';
import { NotReadyError, Readiness } from './readiness.ts';
import { ReadinessChanges } from './readiness-changes.ts';

const Health = z.record(z.string(), z.string()).meta({ id: 'HealthBody', description: 'The state of the service' });

/** Liveness and readiness of a service. */
@Controller()
export class HealthController {
  private readonly changes: ReadinessChanges;

  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(Log) log: Log,
  ) {
    this.changes = new ReadinessChanges(log);
  }

  @Get('healthz')
  @Public()
  @Operation({
    id: 'health_check',
    summary: 'Health check',
    tag: 'health',
    success: { status: 200, schema: Health },
    errors: [],
    examples: { response: { status: 'ok' } },
  })
  checkHealth() {
    return { status: 'ok' };
  }

  /**
   * The answer of a ready service has a sentence for each warning.
   * @throws HttpError unavailable, naming each check that fails, with the reason of a NotReadyError
   */
  @Get('readyz')
  @Public()
  @Operation({
    id: 'readiness_check',
    summary: 'Readiness check',
    tag: 'health',
    success: { status: 200, schema: Health },
    errors: [503],
    examples: { response: { status: 'ready' }, failures: { 503: 'not ready: database' } },
  })
  async checkReadiness() {
    const failing = await this.readiness.failing();
    this.changes.note(failing);
    if (failing.length === 0) return { status: 'ready', ...this.readiness.currentWarnings() };
    const reasons = failing.map(({ name, cause }) => [name, cause instanceof NotReadyError ? cause.message : '']);
    const named = reasons.map(([name, reason]) => (reason === '' ? name : `${name} (${reason})`));
    const violations = reasons.map(([name, reason]) => ({ field: `/${name}`, message: reason || 'is not ready' }));
    throw new HttpError('unavailable', `not ready: ${named.join(', ')}`, { violations });
  }
}
