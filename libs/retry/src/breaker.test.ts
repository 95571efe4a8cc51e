import { describe, expect, it } from '@jest/globals';
import { Breaker } from './breaker.ts';

function breaker() {
  let time = 0;
  const subject = new Breaker({ threshold: 3, openMs: 1000, now: () => time });
  return { subject, advance: (ms: number) => (time += ms) };
}

describe('Breaker', () => {
  it('opens after consecutive failures only', () => {
    const { subject } = breaker();
    subject.recordFailure(new Error('down'));
    subject.recordFailure(new Error('down'));
    subject.recordSuccess();
    subject.recordFailure(new Error('down'));
    subject.recordFailure(new Error('down'));
    expect(subject.tryPass()).toBe(true);
    subject.recordFailure(new Error('down'));
    expect(subject.tryPass()).toBe(false);
  });

  it('allows exactly one attempt after its pause, and closes on its success', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.recordFailure(new Error('down'));
    advance(1000);
    expect(subject.tryPass()).toBe(true);
    expect(subject.tryPass()).toBe(false);
    subject.recordSuccess();
    expect(subject.tryPass()).toBe(true);
    expect(subject.isOpen).toBe(false);
  });

  it('opens for another pause when that attempt fails', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.recordFailure(new Error('down'));
    advance(1000);
    subject.tryPass();
    subject.recordFailure(new Error('down'));
    advance(999);
    expect(subject.tryPass()).toBe(false);
    advance(1);
    expect(subject.tryPass()).toBe(true);
  });

  it('allows another attempt when the caller cancelled the one attempt', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.recordFailure(new Error('down'));
    advance(1000);
    subject.tryPass();
    subject.abandon();
    expect(subject.tryPass()).toBe(true);
  });

  it('counts one cause of several failed attempts once', () => {
    const { subject } = breaker();
    const refused = new Error('no connection');
    for (let i = 0; i < 10; i += 1) subject.recordFailure(refused);
    subject.recordFailure(new Error('down'));
    expect(subject.tryPass()).toBe(true);
    subject.recordFailure(new Error('down'));
    expect(subject.tryPass()).toBe(false);
  });
});
