/** Authentication as it is stored and read: secrets stand beside it, as references. */
export type HeldAuth =
  { type: 'none' } | { type: 'bearerToken' } | { type: 'headerInjection'; header_injection: { header_name: string } };
