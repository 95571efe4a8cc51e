import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/**
 * Encrypts small facts that a browser carries, in a link or a cookie, and that expire. Only the
 * replicas of this gateway can read or make them.
 */
export class SealedText {
  private readonly key: Uint8Array;

  /**
   * @param secret a key that all replicas share
   * @param purpose separates texts of one kind from those of other kinds
   */
  constructor(
    secret: string,
    purpose: string,
    private readonly now: () => Date,
  ) {
    this.key = createHmac('sha256', secret).update(purpose).digest();
  }

  /** Encrypts facts, which must be an object of JSON. */
  seal(facts: object, lifetimeSeconds: number): Promise<string> {
    return new EncryptJWT({ facts })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(this.now().getTime() / 1000) + lifetimeSeconds)
      .encrypt(this.key);
  }

  /** Decrypts a text. @returns undefined for a text that is expired, changed or of another kind */
  async open<Facts>(text: string): Promise<Facts | undefined> {
    try {
      const { payload } = await jwtDecrypt<{ facts: Facts }>(text, this.key, {
        currentDate: this.now(),
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return payload.facts;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
