import { UnexpectedResponseError } from '@gatehouse/mcp/client/connection-errors';
import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { createParamHeaders, findParamMismatch } from '@gatehouse/mcp/param-headers';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import type { Offer, UnavailableList } from '../catalog/offers.ts';
import type { ConnectorLimits } from '../limits/gateway-limits.ts';
import { type CallFacts, createCallEnd, createTaskEnd, type Outcome } from '../ports/tool-call.ts';
import { listFailureFacts } from '../upstreams/upstream-failure.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import { toUnavailableError } from '../upstreams/upstreams.ts';
import { createCallFacts, getDefinition, type ToolRequest } from './call-facts.ts';
import { type ClientCall, createInvalidParamsError } from './client-call.ts';
import { keepTask } from './created-tasks.ts';
import { createUnavailableMeta } from './meta.ts';
import { explainUnavailable, forward, isFinal } from './forward.ts';
import {
  createDirectoryUnavailableError,
  type Plane,
  type RequestScope,
  requireRequestScope,
  resolveRequestScope,
} from './plane.ts';
import { recordRejectedCall } from './rejected-calls.ts';
import { exposeUris } from './resources.ts';
import { createErrorResult, limitResult } from './results.ts';
import { CALL_TOOL, FIND_TOOL, findTools, readCalledTool, SEARCH_TOOLS } from './search-tools.ts';
import { hasTaskSupport, listWithTaskSupport, readAugmentation } from './task-support.ts';
import { type CreatedTask, readCreatedTask } from './task-forms.ts';

/** The tools of a user at one endpoint. */
export async function listTools(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { user, scope } = call;
  const { access } = await requireRequestScope(plane, user);
  if (scope.mode === 'search') return { tools: SEARCH_TOOLS };
  const unavailable: UnavailableList[] = [];
  const views = await plane.offers.listViews(access, scope, 'tools', unavailable);
  const meta = unavailable.length === 0 ? {} : createUnavailableMeta(unavailable);
  // Lists without tasks are kept ready; the others differ by client and upstream.
  if (views.some((offers) => [...offers.values()].some(hasTaskSupport))) {
    const offers = await plane.offers.listNamed(access, scope, 'tools');
    return { tools: (await listWithTaskSupport(plane, call, offers)).map(getDefinition), ...meta };
  }
  const list = plane.toolLists.get(plane.viewKeys.get(access, scope, views), views);
  return unavailable.length === 0 ? list : { ...list, ...meta };
}

/**
 * The one error for every tool that is not offered to the user: forbidden, disabled, narrowed away
 * or unknown.
 */
const createUnknownToolError = (): RpcError => createInvalidParamsError('unknown tool');

/**
 * Calls a tool. A tool that the user cannot list is unknown. The record is committed before the
 * response is sent, and for a call that takes long also before the response becomes a stream.
 */
export async function callTool(plane: Plane, call: ClientCall): Promise<JsonObject> {
  if (call.scope.mode === 'search' && call.params['name'] === FIND_TOOL) return findTools(plane, call);
  const request = readToolRequest(call) ?? (await refuseMalformed(plane, call));
  const { scope } = call;
  const startedAt = plane.now();
  call.isRecorded = true;
  const resolved = resolveOrRecord(plane, call, request, startedAt);
  const rights = resolved instanceof Promise ? await resolved : resolved;
  const found = findOffer(plane, call, rights, request);
  const offer = found instanceof Promise ? await found : found;
  if (offer instanceof UpstreamUnavailableError) {
    const facts = createCallFacts(plane, scope, request, startedAt, rights, undefined);
    const outcome = offer.isOutage ? 'error' : 'unspecified';
    await plane.recorder.recordRefusal(facts, 'not_evaluated', `the connector ${offer.message}`, outcome);
    return answerUnlisted(plane, call, rights, request, offer);
  }
  if (offer === undefined) return refuseTool(plane, call, rights, request, startedAt);
  const facts = createCallFacts(plane, scope, request, startedAt, rights, offer);
  const mismatch = findMismatch(call, request, offer);
  if (mismatch !== undefined) {
    await plane.recorder.recordRefusal(facts, 'not_evaluated', mismatch.message);
    throw mismatch;
  }
  const augmentation = readAugmentation(plane, call, offer);
  const task = augmentation && (await augmentation);
  if (task instanceof RpcError) {
    await plane.recorder.recordRefusal(facts, 'not_evaluated', task.message);
    throw task;
  }
  const limits = plane.directory.getRules()?.limits.findOfConnector(offer.connector.id);
  const allowed: AllowedCall = { call, request, rights, offer, facts, startedAt, task };
  if (limits === undefined) return makeCall(plane, allowed, undefined);
  await admitOrRecord(plane, allowed, limits);
  try {
    return await makeCall(plane, allowed, limits.resultBytes);
  } finally {
    plane.callLimits.release(offer.connector.id);
  }
}

/**
 * The offer of a called tool; undefined for a tool that is not offered. In search mode, only
 * `call_tool` calls tools.
 */
function findOffer(
  { offers }: Plane,
  { scope, params }: ClientCall,
  { access }: RequestScope,
  { name }: ToolRequest,
): FoundOffer | Promise<FoundOffer> {
  if (scope.mode === 'search' && params['name'] !== CALL_TOOL) return undefined;
  const found = offers.find(access, scope, 'tools', name);
  return found instanceof Promise ? found.catch(toUnavailable) : found;
}

/** Refuses a tool that is not offered, and records the call. @throws RpcError */
async function refuseTool(
  plane: Plane,
  { scope, params }: ClientCall,
  rights: RequestScope,
  request: ToolRequest,
  startedAt: Date,
): Promise<never> {
  const isNamed = scope.mode !== 'search' || params['name'] === CALL_TOOL;
  const isWithheld = isNamed && (await plane.offers.isWithheld(rights.access, scope, request.name));
  const facts = createCallFacts(plane, scope, request, startedAt, rights, undefined);
  await plane.recorder.recordRefusal(
    facts,
    'denied',
    isWithheld ? 'no administrator has accepted the definition of the tool' : undefined,
  );
  throw isWithheld ? createWithheldToolError(request.name) : createUnknownToolError();
}

/** The error of a tool whose definition no administrator has accepted. */
const createWithheldToolError = (name: string): RpcError =>
  new RpcError(
    ErrorCode.invalidParams,
    `the tool ${name} is withheld, because its definition is new or has changed and no administrator has accepted it; ask an administrator to accept it (gatehouse admin gateways tool-changes list)`,
    { reason: 'tool_withheld' },
  );

type FoundOffer = Offer<'tools'> | UpstreamUnavailableError | undefined;

function toUnavailable(error: unknown): UpstreamUnavailableError {
  if (error instanceof UpstreamUnavailableError) return error;
  throw error;
}

/** The result of a call of a tool whose connector cannot be listed. @throws RpcError */
async function answerUnlisted(
  plane: Plane,
  call: ClientCall,
  { access }: RequestScope,
  { name }: ToolRequest,
  error: UpstreamUnavailableError,
): Promise<JsonObject> {
  const connector = plane.offers.findConnector(access, call.scope, name);
  if (connector === undefined) throw createUnknownToolError();
  return toToolResult(await explainUnavailable(plane, call, connector, error));
}

/** Failures of upstreams are results of the tool, which the model can read. */
const toToolResult = (explained: JsonObject | string): JsonObject =>
  typeof explained === 'string' ? createErrorResult(explained) : explained;

/** A call that the user's rights allow. */
interface AllowedCall {
  call: ClientCall;
  request: ToolRequest;
  rights: RequestScope;
  offer: Offer<'tools'>;
  facts: CallFacts;
  startedAt: Date;
  /** `task` of the forwarded call; undefined for a call without a task. */
  task: JsonObject | undefined;
}

/** Applies the limits of the gateway. A refused call is recorded. @throws RpcError */
async function admitOrRecord(
  plane: Plane,
  { request, rights, offer, facts }: AllowedCall,
  limits: ConnectorLimits,
): Promise<void> {
  const refusal = await plane.callLimits.admit(limits, {
    user: rights.user,
    connector: offer.connector,
    tool: offer.definition.name,
    arguments: request.arguments,
  });
  if (refusal === undefined) return;
  await plane.recorder.recordRefusal(facts, 'not_evaluated', refusal.reason);
  throw refusal.error;
}

/** Sends a call to its upstream and records it. @param resultBytes the largest result */
async function makeCall(plane: Plane, allowed: AllowedCall, resultBytes: number | undefined): Promise<JsonObject> {
  const { call, rights, offer, facts, startedAt, task } = allowed;
  const record = plane.recorder.begin(facts);
  if (plane.recorder.isDoubtful) await record.open();
  call.record = record;
  let outcome: Outcome = 'error';
  let reached = true;
  let isTask = false;
  try {
    const result = await forwardCall(plane, allowed);
    const created = readCreatedTask(result);
    if (created !== undefined) {
      const kept = await keepTask(plane, call, offer, requireExpected(call, created, task !== undefined));
      isTask = true;
      return kept;
    }
    const limited = isFinal(result) ? limitResult(offer.connector, result, resultBytes) : result;
    if (limited !== result) return limited;
    outcome = isFinal(result) ? (result['isError'] === true ? 'error' : 'ok') : 'unspecified';
    const exposed = exposeUris(plane, rights.access, call.scope, offer.connector, result);
    return exposed instanceof Promise ? await exposed : exposed;
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    reached = error.reached;
    plane.log.warn(
      { connector: offer.connector.id, failure: listFailureFacts(error) },
      'upstream failed during a call',
    );
    return toToolResult(await explainUnavailable(plane, call, offer.connector, error));
  } finally {
    const durationMs = plane.now().getTime() - startedAt.getTime();
    await record.end(isTask ? createTaskEnd(durationMs) : createCallEnd(outcome, reached, durationMs));
  }
}

/** Refuses a task of an upstream whose client uses no tasks of this form. */
function requireExpected(call: ClientCall, created: CreatedTask, isAugmented: boolean): CreatedTask {
  if (call.taskForm === created.form && isAugmented === (created.form === 'core')) return created;
  throw toUnavailableError(new UnexpectedResponseError('a task that the client did not ask for'), true);
}

/** The error of a modern call whose Mcp-Param-* headers contradict its arguments. */
function findMismatch(call: ClientCall, request: ToolRequest, offer: Offer<'tools'>): RpcError | undefined {
  if (call.sessionId !== undefined) return undefined;
  const { inputSchema } = offer.definition;
  // A client in search mode does not know which arguments have headers.
  const needsHeaders = call.scope.mode !== 'search';
  const header = findParamMismatch(inputSchema, request.arguments, (name) => call.readHeader(name), needsHeaders);
  if (header === undefined) return undefined;
  return new RpcError(ErrorCode.headerMismatch, `The ${header} header and the arguments have different values.`);
}

/** Whether a call of `call_tool` in search mode holds the params of the called tool. */
const isNestedCall = ({ scope, params }: ClientCall): boolean =>
  scope.mode === 'search' && params['name'] === CALL_TOOL;

/** Reads the params of a call; undefined for a malformed call. */
function readToolRequest(call: ClientCall): ToolRequest | undefined {
  const { name, arguments: values } = isNestedCall(call) ? readCalledTool(call.params) : call.params;
  if (typeof name === 'string' && (values === undefined || isJsonObject(values))) return { name, arguments: values };
  return undefined;
}

/** Records a malformed call. @throws RpcError */
async function refuseMalformed(plane: Plane, call: ClientCall): Promise<never> {
  const isNested = isNestedCall(call);
  const params = isNested ? readCalledTool(call.params) : call.params;
  const path = isNested ? 'params.arguments' : 'params';
  await recordRejectedCall(plane, call.scope, call.user, { method: call.method, params });
  call.isRecorded = true;
  throw createInvalidParamsError(
    typeof params.name === 'string' ? `${path}.arguments must be an object` : `${path}.name must be a string`,
  );
}

function forwardCall(plane: Plane, { call, request, offer, startedAt, task }: AllowedCall): Promise<JsonObject> {
  const { connector, definition } = offer;
  const target = `tools/call ${connector.id} ${definition.name}`;
  const params = {
    name: definition.name,
    ...(request.arguments && { arguments: request.arguments }),
    ...(task && { task }),
  };
  const followed = task === undefined && { followedSince: startedAt.getTime() };
  return forward({ plane, call, connector, target, ...followed }, 'tools/call', params, ({ arguments: sent }) =>
    createParamHeaders(definition.inputSchema, isJsonObject(sent) ? sent : undefined),
  );
}

/**
 * Looks up the user's rights. If the directory is unavailable, the call is recorded as not
 * evaluated.
 */
function resolveOrRecord(
  plane: Plane,
  { user, scope }: ClientCall,
  request: ToolRequest,
  startedAt: Date,
): RequestScope | Promise<RequestScope> {
  const record = async (error: unknown): Promise<never> => {
    if (!(error instanceof DirectoryUnavailableError)) throw error;
    await plane.recorder.recordRefusal(
      createCallFacts(plane, scope, request, startedAt, { user, entitlements: undefined }, undefined),
      'not_evaluated',
    );
    throw createDirectoryUnavailableError();
  };
  try {
    const found = resolveRequestScope(plane, user);
    return found instanceof Promise ? found.catch(record) : found;
  } catch (error) {
    return record(error);
  }
}
