import { isLoopback } from '@gatehouse/proxy/passes/host';

/**
 * The warning about a proxy that other machines reach.
 * @param typed the value of `--host`
 * @param address the address that it stands for
 * @returns undefined for a loopback address
 */
export function exposureWarning(
  typed: string,
  address: string,
  allowedOrigins: readonly string[] | undefined,
): string | undefined {
  if (isLoopback(address)) return undefined;
  const origins = allowedOrigins?.length
    ? `Browsers may call from ${allowedOrigins.join(', ')} alone.`
    : 'Pages of other origins are refused until --allowed-origins names them.';
  return (
    `--host ${typed} opens the server to every machine that reaches this one, without a sign-in. ${origins} ` +
    'Clients use an IP address of this machine, its host name, or a host that --host or --allowed-origins names.'
  );
}
