const PAYER = { scope: 'user', subject_id: '00u1f4c2k7' };
const CATALOG = '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a';

/** An admitted request, whose maximum cost is reserved for 15 minutes. */
export const ADMISSION_EXAMPLE = {
  decision: 'admitted',
  reservation_id: '0197a3c2-9efa-7077-af04-4e7a779c655f',
  admitted_at: '2026-03-02T09:30:00Z',
  expires_at: '2026-03-02T09:45:00Z',
  payer: PAYER,
  reserved_usd: '0.018000000',
  pricing_catalog_id: CATALOG,
};

/** A lease of one minute. */
export const LEASE_EXAMPLE = {
  lease_id: '0197a3c2-b544-7a76-a86d-1186680a9d8f',
  granted_usd: '12.500000000',
  payer: PAYER,
  expires_at: '2026-03-02T09:31:00Z',
  pricing_catalog_id: CATALOG,
  key_version: 3,
};
