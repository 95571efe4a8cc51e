import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The end of a gateway's newest chain, hashes in hexadecimal. */
export interface ChainHead {
  /** When the last record arrived; its month is the chain's. */
  arrived_at: string;
  sequence: number;
  chain_hash: string;
  /** The last checkpoint of this chain: when, where and by which key it was signed. */
  signed_at: string | null;
  signed_sequence: number;
  signed_by: string | null;
}

/** A checkpoint as it is kept. */
export interface KeptCheckpoint {
  arrived_at: string;
  sequence: number;
  chain_hash: string;
  key_id: string;
  signed_at: string;
  signature: string;
}

type Stored<T extends { sequence: number; chain_hash: string }> = Omit<T, 'sequence' | 'chain_hash'> & {
  sequence: string;
  chain_hash: Buffer;
};

const LOCK = statement<Stored<ChainHead>>(`
  SELECT arrived_at, sequence, chain_hash, signed_at, signed_sequence, signed_by FROM tool_call_heads WHERE gateway_id = $1 FOR UPDATE`);
const MAKE = statement(`
  INSERT INTO tool_call_heads (gateway_id, arrived_at, sequence, chain_hash, signed_sequence) VALUES ($1, $2, 0, '', 0) ON CONFLICT DO NOTHING`);
const MOVE = statement(`
  UPDATE tool_call_heads SET arrived_at = $2, sequence = $3, chain_hash = $4, signed_at = $5, signed_sequence = $6, signed_by = $7 WHERE gateway_id = $1`);
const KEEP = statement(`
  INSERT INTO tool_call_checkpoints (gateway_id, arrived_at, sequence, chain_hash, key_id, signed_at, signature) VALUES ($1, $2, $3, $4, $5, $6, $7)`);
const KEPT = statement<Stored<KeptCheckpoint>>(`
  SELECT arrived_at, sequence, chain_hash, key_id, signed_at, signature FROM tool_call_checkpoints
  WHERE gateway_id = $1 AND (arrived_at, sequence) >= ($2::timestamptz, $3::bigint) AND (arrived_at, sequence) <= ($4::timestamptz, $5::bigint)
  ORDER BY arrived_at, sequence`);

const LAST_UNTIL = statement<Place & { record_hash: string }>(`
  SELECT arrived_at, sequence::float8 AS sequence, encode(record_hash, 'hex') AS record_hash FROM tool_calls
  WHERE gateway_id = $1 AND arrived_at <= $2::timestamptz AND (arrived_at, sequence) <= ($2::timestamptz, $3::bigint)
  ORDER BY arrived_at DESC, sequence DESC LIMIT 1`);

/** The ends of chains, and what was signed of them. */
@Injectable()
export class ChainHeadsRepository {
  /**
   * The end of a gateway's newest chain. Until the transaction ends nobody else adds to it.
   * @param now for a gateway that has none
   */
  async lock(manager: EntityManager, gatewayId: string, now: string): Promise<ChainHead> {
    const held = await LOCK.row(manager, [gatewayId]);
    if (held) return inMemory(held);
    await MAKE.rows(manager, [gatewayId, now]);
    const made = await LOCK.row(manager, [gatewayId]);
    if (!made) throw new Error('a chain that was made is not there');
    return inMemory(made);
  }

  /** Moves the end of a chain that is locked. */
  async move(manager: EntityManager, gatewayId: string, head: ChainHead): Promise<void> {
    await MOVE.rows(manager, [
      gatewayId,
      head.arrived_at,
      head.sequence,
      `\\x${head.chain_hash}`,
      head.signed_at,
      head.signed_sequence,
      head.signed_by,
    ]);
  }

  async keep(manager: EntityManager, gatewayId: string, checkpoint: KeptCheckpoint): Promise<void> {
    const { arrived_at, sequence, chain_hash, key_id, signed_at, signature } = checkpoint;
    await KEEP.rows(manager, [gatewayId, arrived_at, sequence, `\\x${chain_hash}`, key_id, signed_at, signature]);
  }

  /** The last record of a gateway that is kept, up to a place, itself included. */
  lastUntil(manager: EntityManager, gatewayId: string, { arrived_at, sequence }: Place) {
    return LAST_UNTIL.row(manager, [gatewayId, arrived_at, sequence]);
  }

  /** What was signed of the records between two places, both inclusive. */
  async kept(
    manager: EntityManager,
    gatewayId: string,
    [first, last]: readonly [first: Place, last: Place],
  ): Promise<KeptCheckpoint[]> {
    const rows = await KEPT.rows(manager, [
      gatewayId,
      first.arrived_at,
      first.sequence,
      last.arrived_at,
      last.sequence,
    ]);
    return rows.map(inMemory);
  }
}

/** Where a record is among those of its gateway. */
export interface Place {
  arrived_at: string;
  sequence: number;
}

const inMemory = <Row extends { sequence: string; chain_hash: Buffer; signed_sequence?: unknown }>(row: Row) => ({
  ...row,
  sequence: Number(row.sequence),
  ...(row.signed_sequence !== undefined && { signed_sequence: Number(row.signed_sequence) }),
  chain_hash: row.chain_hash.toString('hex'),
});
