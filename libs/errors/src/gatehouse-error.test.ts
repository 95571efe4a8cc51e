import { describe, expect, it } from '@jest/globals';
import { GatehouseError } from './gatehouse-error.ts';

class DiskFullError extends GatehouseError {
  override readonly code = 'disk_full';
}

describe('GatehouseError', () => {
  it('takes its name from the subclass', () =>
    expect(String(new DiskFullError('the disk is full'))).toBe('DiskFullError: the disk is full'));

  it('keeps the cause and the time until another try', () => {
    const cause = new Error('ENOSPC');
    expect(new DiskFullError('the disk is full', { cause, retryAfterMs: 1_000 })).toMatchObject({
      cause,
      retryAfterMs: 1_000,
    });
  });

  it('has no cause when none is given', () =>
    expect(new DiskFullError('the disk is full')).not.toHaveProperty('cause'));

  it('hides its message from callers by default', () =>
    expect(new DiskFullError('the disk is full').expose).toBe(false));

  it('shows its message to callers if expose is true', () =>
    expect(new DiskFullError('the disk is full', { expose: true }).expose).toBe(true));
});
