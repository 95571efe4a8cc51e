import { describe, expect, it } from '@jest/globals';
import { GatehouseError } from './gatehouse-error.ts';

class DiskFullError extends GatehouseError {
  override readonly code = 'disk_full';
}

describe('GatehouseError', () => {
  it('takes its name from the subclass', () =>
    expect(String(new DiskFullError('no room'))).toBe('DiskFullError: no room'));

  it('keeps the cause and the time until another try', () => {
    const cause = new Error('ENOSPC');
    expect(new DiskFullError('no room', { cause, retryAfterMs: 1_000 })).toMatchObject({ cause, retryAfterMs: 1_000 });
  });

  it('has no cause where none is given', () => expect(new DiskFullError('no room')).not.toHaveProperty('cause'));

  it('hides its message from callers by default', () => expect(new DiskFullError('no room').expose).toBe(false));

  it('shows its message to callers when told so', () =>
    expect(new DiskFullError('no room', { expose: true }).expose).toBe(true));
});
