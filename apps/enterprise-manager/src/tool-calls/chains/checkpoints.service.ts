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

/** A checkpoint is stored after this many records, or this long after the previous one. */
const MAX_RECORDS_BETWEEN = 10_000;
const MAX_TIME_BETWEEN_MS = 300_000;

/** Signs statements about chains. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly heads: ChainHeadsRepository,
    private readonly ring: SigningKeyRing,
    private readonly clock: Clock,
  ) {}

  /** Signs a position of a chain. @returns undefined without a signing key */
  async sign(chain_id: string, sequence: number, chain_hash: string): Promise<Checkpoint | undefined> {
    const key = this.getKey();
    const signed_at = this.clock.now().toISOString();
    return key && signCheckpoint({ chain_id, sequence, chain_hash, signed_at }, key);
  }

  /** Signs the last record of a gateway at a time. @returns undefined without a signing key */
  async signHead(place: Parameters<typeof signHead>[0]): Promise<ChainHeadStatement | undefined> {
    const key = this.getKey();
    return key && signHead(place, key);
  }

  /** Signs the record after which a chain begins. @returns undefined without a signing key */
  async signStart(place: Omit<Parameters<typeof signStart>[0], 'signed_at'>): Promise<ChainStart | undefined> {
    const key = this.getKey();
    return key && signStart({ ...place, signed_at: this.clock.now().toISOString() }, key);
  }

  /** Returns the ids of published keys, with which readers can verify signatures. */
  getPublishedKeyIds(): ReadonlySet<string | undefined> {
    return new Set(this.ring.getPublishedKeys().map(({ kid }) => kid));
  }

  /**
   * Stores a checkpoint of the end of a chain if the last one is old, is by another key, or has too
   * many records after it. Signed records cannot be exchanged later, even with write access to the
   * database.
   * @returns the head with its last checkpoint
   */
  async storeWhenDue(manager: EntityManager, gatewayId: string, chainId: string, head: ChainHead): Promise<ChainHead> {
    const key = this.getKey();
    if (!key) return head;
    const age = head.signed_at === null ? Infinity : this.clock.now().getTime() - Date.parse(head.signed_at);
    const hasManyRecords = head.sequence - head.signed_sequence >= MAX_RECORDS_BETWEEN;
    if (!hasManyRecords && age < MAX_TIME_BETWEEN_MS && head.signed_by === key.kid) return head;
    const signed = await this.sign(chainId, head.sequence, head.chain_hash);
    if (!signed) return head;
    await this.heads.insertCheckpoint(manager, gatewayId, { ...signed, arrived_at: head.arrived_at });
    return { ...head, signed_at: signed.signed_at, signed_sequence: head.sequence, signed_by: signed.key_id };
  }

  private getKey(): SigningKey | undefined {
    try {
      return this.ring.getCurrent();
    } catch (error) {
      // Calls are recorded without a signing key too.
      if (error instanceof HttpError) return undefined;
      throw error;
    }
  }
}
