import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { SigningKey } from '@gatehouse/signed-config/sign';
import {
  type ChainHead as ChainHeadStatement,
  type ChainStart,
  type Checkpoint,
  signCheckpoint,
  signHead,
  signStart,
} from '@gatehouse/signed-config/tool-call-chain';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SigningKeyRing } from '../../client-config/signing-keys/signing-key-ring.ts';
import { type ChainHead, ChainHeadsRepository } from './chain-heads.repository.ts';

/** A checkpoint is kept after so many records, or so long after the last one, in milliseconds. */
const RECORDS_BETWEEN = 10_000;
const TIME_BETWEEN_MS = 300_000;

/** What is signed of chains. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly heads: ChainHeadsRepository,
    private readonly ring: SigningKeyRing,
    private readonly clock: Clock,
  ) {}

  /** Signs a place of a chain. @returns undefined where this deployment has no key to sign with */
  async sign(chain_id: string, sequence: number, chain_hash: string): Promise<Checkpoint | undefined> {
    const key = this.key();
    const signed_at = this.clock.now().toISOString();
    return key && signCheckpoint({ chain_id, sequence, chain_hash, signed_at }, key);
  }

  /** Signs what was the last record of a gateway at a time. @returns undefined as above */
  async signHead(place: Parameters<typeof signHead>[0]): Promise<ChainHeadStatement | undefined> {
    const key = this.key();
    return key && signHead(place, key);
  }

  /** Signs after which record a chain begins. @returns undefined as above */
  async signStart(place: Omit<Parameters<typeof signStart>[0], 'signed_at'>): Promise<ChainStart | undefined> {
    const key = this.key();
    return key && signStart({ ...place, signed_at: this.clock.now().toISOString() }, key);
  }

  /** Whether a key is still shown, so that readers can verify what it has signed. */
  shown(): ReadonlySet<string | undefined> {
    return new Set(this.ring.shown().map(({ kid }) => kid));
  }

  /**
   * Keeps a checkpoint of the end of a chain when the last one is old, far away, or by another key:
   * what was signed once cannot be exchanged later, not even by somebody who can write into the
   * database.
   * @returns the head with what is known of its checkpoint now
   */
  async keepWhenDue(manager: EntityManager, gatewayId: string, chainId: string, head: ChainHead): Promise<ChainHead> {
    const key = this.key();
    if (!key) return head;
    const age = head.signed_at === null ? Infinity : this.clock.now().getTime() - Date.parse(head.signed_at);
    const far = head.sequence - head.signed_sequence >= RECORDS_BETWEEN;
    if (!far && age < TIME_BETWEEN_MS && head.signed_by === key.kid) return head;
    const signed = await this.sign(chainId, head.sequence, head.chain_hash);
    if (!signed) return head;
    await this.heads.keep(manager, gatewayId, { ...signed, arrived_at: head.arrived_at });
    return { ...head, signed_at: signed.signed_at, signed_sequence: head.sequence, signed_by: signed.key_id };
  }

  private key(): SigningKey | undefined {
    try {
      return this.ring.current();
    } catch (error) {
      // Calls are recorded also where nothing can be signed.
      if (error instanceof HttpError) return undefined;
      throw error;
    }
  }
}
