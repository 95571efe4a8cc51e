const ALICE = '00u1f4c2k7';
const BOB = '00u1f4c2k8';
const GROUP = '0197a3c2-ad93-76fc-abed-631fa67e05c3';

const MONTH = { period: 'month', period_start: '2026-03-01T00:00:00Z', period_end: '2026-04-01T00:00:00Z' };

const total = { total_used_usd: '20.000000000' };
const byModel = [
  { value: 'claude-opus-5', used_usd: '12.500000000' },
  { value: 'gpt-5.4', used_usd: '7.500000000' },
];
const byUser = [
  { value: ALICE, used_usd: '15.250000000' },
  { value: BOB, used_usd: '4.750000000' },
];

/** The month of a group: each list adds up to the total. */
export const BREAKDOWN_EXAMPLE = {
  scope: 'group',
  subject_id: GROUP,
  ...MONTH,
  ...total,
  by_model: byModel,
  by_provider: [
    { value: 'anthropic', used_usd: '12.500000000' },
    { value: 'openai', used_usd: '7.500000000' },
  ],
  by_user: byUser,
};

/** The spend of a group in a month by user. */
export const GROUP_SLICE_EXAMPLE = {
  scope: 'group',
  subject_id: GROUP,
  dimension: 'user',
  ...MONTH,
  ...total,
  entries: byUser,
};

/** The spend of a user's own budget by model. */
export const USER_SLICE_EXAMPLE = {
  scope: 'user',
  subject_id: ALICE,
  dimension: 'model',
  ...MONTH,
  ...total,
  entries: byModel,
};

/** Three days, one of them without spend. */
export const SERIES_EXAMPLE = {
  granularity: 'day',
  time_zone: 'UTC',
  from: '2026-03-02',
  to: '2026-03-05',
  buckets: [
    { date: '2026-03-02', usd: '12.500000000' },
    { date: '2026-03-03', usd: '0.000000000' },
    { date: '2026-03-04', usd: '7.500000000' },
  ],
};

/** The spend of two users on one day. */
export const SPEND_EXPORT_EXAMPLE = `bucket,group_key,charge_count,charged_usd
2026-03-02,${ALICE},3,15.250000000
2026-03-02,${BOB},1,4.750000000
`;
