import { describe, expect, it } from '@jest/globals';
import { Breaker } from './breaker.ts';

function breaker() {
  let time = 0;
  const subject = new Breaker({ threshold: 3, openMs: 1000, now: () => time });
  return { subject, advance: (ms: number) => (time += ms) };
}

describe('a circuit breaker', () => {
  it('opens after failures in a row only', () => {
    const { subject } = breaker();
    subject.failed(new Error('down'));
    subject.failed(new Error('down'));
    subject.succeeded();
    subject.failed(new Error('down'));
    subject.failed(new Error('down'));
    expect(subject.tryPass()).toBe(true);
    subject.failed(new Error('down'));
    expect(subject.tryPass()).toBe(false);
  });

  it('lets exactly one attempt through after its pause, and closes when that succeeds', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.failed(new Error('down'));
    advance(1000);
    expect(subject.tryPass()).toBe(true);
    expect(subject.tryPass()).toBe(false);
    subject.succeeded();
    expect(subject.tryPass()).toBe(true);
    expect(subject.isOpen).toBe(false);
  });

  it('opens for another pause when that attempt fails', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.failed(new Error('down'));
    advance(1000);
    subject.tryPass();
    subject.failed(new Error('down'));
    advance(999);
    expect(subject.tryPass()).toBe(false);
    advance(1);
    expect(subject.tryPass()).toBe(true);
  });

  it('is not stuck when the one attempt was given up by its caller', () => {
    const { subject, advance } = breaker();
    for (let i = 0; i < 3; i += 1) subject.failed(new Error('down'));
    advance(1000);
    subject.tryPass();
    subject.abandoned();
    expect(subject.tryPass()).toBe(true);
  });

  it('counts what ended several attempts at once a single time', () => {
    const { subject } = breaker();
    const refused = new Error('no connection');
    for (let i = 0; i < 10; i += 1) subject.failed(refused);
    subject.failed(new Error('down'));
    expect(subject.tryPass()).toBe(true);
    subject.failed(new Error('down'));
    expect(subject.tryPass()).toBe(false);
  });
});
