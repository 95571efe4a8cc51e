import { hasFields } from '../../json/expected-fields.ts';
import { type Management, requireAnswer, type Schemas } from './management.ts';
import { EDITORS } from './policies.ts';

const AUTHENTICATED = 'authenticated';

/** Reads the gateway of the instance. */
export async function readGateway(management: Management): Promise<Schemas['GatewayIdentity']> {
  const call = management.api.GET('/v1/info');
  const { data } = await requireAnswer(management, call, { roles: AUTHENTICATED }, (data) =>
    hasFields<Schemas['GatewayIdentity']>(data, { name: 'text', namespace: 'text' }),
  );
  return data;
}

/** Reads the gateway of the instance with its status. */
export async function readGatewayStatus(management: Management): Promise<Schemas['GatewayStatus']> {
  const call = management.api.GET('/v1/gateway-status');
  const { data } = await requireAnswer(management, call, { roles: EDITORS }, (data) =>
    hasFields<Schemas['GatewayStatus']>(data, { name: 'text', namespace: 'text' }),
  );
  return data;
}

/** The name, the namespace and the conditions of a gateway, for people. */
export const summarizeGateway = ({ name, namespace, conditions = [] }: Schemas['GatewayStatus']): object => ({
  name,
  namespace,
  conditions: conditions.map(({ type, status, reason, message }) => ({ type, status, reason, message })),
});

/** Lists the models of a gateway. @param gateway default: the gateway of the instance */
export async function listModels(
  management: Management,
  gateway: string | undefined,
): Promise<Schemas['ModelList']['data']> {
  const query = gateway === undefined ? {} : { gatewayRef: gateway };
  const operation = {
    roles: AUTHENTICATED,
    flags: { '/gatewayRef': '--gateway' },
    ...(gateway !== undefined && {
      missing: {
        sentence: `There is no AIGateway ${JSON.stringify(gateway)}`,
        list: 'gatehouse admin ai-gateway show   shows the gateway of this instance',
      },
    }),
  };
  const call = management.api.GET('/v1/models', { params: { query } });
  return (
    await requireAnswer(management, call, operation, (data) => hasFields<Schemas['ModelList']>(data, { data: 'list' }))
  ).data.data;
}

/** The models that the policies of the gateway grant to the caller. */
export type Caller = Schemas['CallerIntrospection'];

/** Describes the caller. */
export async function describeCaller(management: Management): Promise<Caller> {
  const call = management.api.GET('/v1/me');
  const fields = {
    subject: 'text',
    models: 'texts',
    groups: 'texts',
    roles: 'texts',
    matchedPolicies: 'list',
  } as const;
  return (await requireAnswer(management, call, { roles: AUTHENTICATED }, (data) => hasFields<Caller>(data, fields)))
    .data;
}
