import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RenewedSecret } from './renewed-secret.ts';
import { ProviderCredentialError } from './provider-credential-error.ts';

const away = new ProviderCredentialError('the source does not answer', true);
const gone = new ProviderCredentialError('the secret does not exist', false);

/** A source with one answer, which a test replaces. */
class TestSource {
  readonly key = 'managed a';
  readonly maxAgeMs = 300_000;
  reads = 0;
  readonly problems: (string | undefined)[] = [];
  constructor(public answer: string | Error) {}

  read(): Promise<string> {
    this.reads += 1;
    return this.answer instanceof Error ? Promise.reject(this.answer) : Promise.resolve(this.answer);
  }
}

async function open(answer: string | Error): Promise<{ source: TestSource; secret: RenewedSecret }> {
  const source = new TestSource(answer);
  const secret = new RenewedSecret(source, (problem) => source.problems.push(problem));
  await jest.advanceTimersByTimeAsync(0);
  return { source, secret };
}

describe('RenewedSecret', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('has no value and says why until it has been read', async () => {
    const secret = new RenewedSecret(new TestSource('one'), () => undefined);
    expect([secret.value, secret.problem]).toEqual([undefined, 'its credential has not been read yet']);
    await jest.advanceTimersByTimeAsync(0);
    expect([secret.value, secret.problem]).toEqual(['one', undefined]);
  });

  it('takes a new value when the old one has its greatest age', async () => {
    const { source, secret } = await open('one');
    source.answer = 'two';
    await jest.advanceTimersByTimeAsync(299_999);
    expect([secret.value, source.reads]).toEqual(['one', 1]);
    await jest.advanceTimersByTimeAsync(1);
    expect([secret.value, source.reads]).toEqual(['two', 2]);
  });

  it('takes a new value at once after the provider refused the old one', async () => {
    const { source, secret } = await open('one');
    await jest.advanceTimersByTimeAsync(10_000);
    source.answer = 'two';
    secret.reportRefused();
    await jest.advanceTimersByTimeAsync(0);
    expect(secret.value).toBe('two');
  });

  it('reads a value that is refused again and again ever more rarely', async () => {
    const { source, secret } = await open('wrong');
    for (let second = 0; second < 600; second += 1) {
      for (let request = 0; request < 5; request += 1) secret.reportRefused();
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(source.reads).toBeLessThan(20);
    source.answer = 'right';
    await jest.advanceTimersByTimeAsync(60_000);
    secret.reportRefused();
    await jest.advanceTimersByTimeAsync(0);
    expect(secret.value).toBe('right');
  });

  it('keeps its value for an hour while its source does not answer', async () => {
    const { source, secret } = await open('one');
    source.answer = away;
    await jest.advanceTimersByTimeAsync(3_500_000);
    expect([secret.value, secret.problem]).toEqual(['one', away.message]);
    await jest.advanceTimersByTimeAsync(200_000);
    expect(secret.value).toBeUndefined();
    source.answer = 'two';
    await jest.advanceTimersByTimeAsync(60_000);
    expect([secret.value, secret.problem]).toEqual(['two', undefined]);
    expect(source.problems).toEqual([undefined, away.message, undefined]);
  });

  it('forgets its value when the source refuses it', async () => {
    const { source, secret } = await open('one');
    source.answer = gone;
    await jest.advanceTimersByTimeAsync(300_000);
    expect([secret.value, secret.problem]).toEqual([undefined, gone.message]);
  });

  it('does not show the message of an unexpected error, which may hold the secret', async () => {
    const { source, secret } = await open(new Error('canary'));
    expect(secret.problem).toBe('its credential cannot be read');
    expect(JSON.stringify(source.problems)).not.toContain('canary');
  });

  it('reads nothing after it was closed, and forgets a value that arrives later', async () => {
    const source = new TestSource('one');
    const secret = new RenewedSecret(source, () => undefined);
    secret.close();
    await jest.advanceTimersByTimeAsync(1_000_000);
    expect([secret.value, source.reads]).toEqual([undefined, 1]);
  });
});
