// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ObjectMetaDto,
  GatewayRefDto,
  PrincipalMatcherDto,
  McpPolicyDto,
  PolicyBudgetDto,
  AIPolicySpecDto,
  ConditionDto,
  AIPolicyStatusDto,
  AIPolicyDto,
  AIPolicyListDto,
  AIPolicySpecPatchDto,
  AIPolicyPatchDto,
  MatchedPolicyDto,
  CallerIntrospectionDto,
  McpServerEntryDto,
  CatalogListDto,
  ViolationDto,
  FailureBodyDto,
  GatewayIdentityDto,
  GatewayStatusDto,
  ModelDto,
  ModelListDto,
  ProtectedResourceMetadataDto,
} from './validation.ts';

export * from './validation.ts';

/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}

describeMembers(ObjectMetaDto, {
  name: { type: "string", maxLength: 253, description: "DNS-1123 subdomain, unique in the namespace", required: false },
  namespace: { type: "string", description: "The namespace of this instance; ignored in a request", required: false },
  labels: { type: 'object', additionalProperties: true, selfRequired: false },
  annotations: { type: 'object', additionalProperties: true, selfRequired: false },
  resourceVersion: { type: "string", description: "Changes with each write; the ETag contains it in double quotes", required: false },
  uid: { type: "string", required: false },
  generation: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Counts the changes of `spec`", required: false },
  creationTimestamp: { type: "string", required: false },
  deletionTimestamp: { type: "string", required: false },
  deletionGracePeriodSeconds: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, required: false },
});
describeMembers(GatewayRefDto, {
  name: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", minLength: 1, maxLength: 253, description: "The name of the AIGateway." },
});
describeMembers(PrincipalMatcherDto, {
  claims: { type: 'object', additionalProperties: true, description: "The required value of each claim, by the name of the claim or its dotted path, such as realm_access.roles. A claim matches when its value is exactly this text, a list that contains it, or a boolean or an integer whose JSON is this text." },
});
describeMembers(McpPolicyDto, {
  servers: { isArray: true, type: "string", minLength: 1, maxLength: 253, description: "The names of MCP servers.", required: false },
});
describeMembers(PolicyBudgetDto, {
  name: { type: "string", minLength: 1, maxLength: 253, description: "The name of the group, unique in the policy." },
  models: { isArray: true, type: "string", pattern: "^(\\*|[A-Za-z0-9][A-Za-z0-9_.:/@+-]*)$", minLength: 1, maxLength: 256, description: "The names of the models. The name * grants all models of the gateway." },
});
describeMembers(AIPolicySpecDto, {
  gatewayRef: { type: () => GatewayRefDto },
  description: { type: "string", maxLength: 2048, description: "A description for administrators.", required: false },
  principalMatchers: { isArray: true, type: () => PrincipalMatcherDto, description: "The policy applies to a principal that one of these matchers matches." },
  mcpPolicy: { type: () => McpPolicyDto, required: false },
  budgets: { isArray: true, type: () => PolicyBudgetDto, description: "The models that the policy grants, in named groups. Limits in money are budgets of the enterprise manager.", required: false },
});
describeMembers(ConditionDto, {
  type: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$", minLength: 1, maxLength: 316, description: "The type of the condition, in CamelCase." },
  status: { type: "string", enum: ["True","False","Unknown"], description: "Whether the condition holds." },
  reason: { type: "string", pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$", minLength: 1, maxLength: 1024, description: "The reason for the status, for programs, in CamelCase." },
  message: { type: "string", maxLength: 32768, description: "The reason for the status, for people." },
  lastTransitionTime: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$", minLength: 1, maxLength: 40, description: "The time at which the status last changed (RFC 3339)." },
  observedGeneration: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "The metadata.generation to which the condition applies.", required: false },
});
describeMembers(AIPolicyStatusDto, {
  observedGeneration: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "The metadata.generation of the policy that was examined.", required: false },
  appliedToSecurityPolicy: { type: "string", maxLength: 253, description: "The name of the security policy that carries the matchers. It is empty without one.", required: false },
  conditions: { isArray: true, type: () => ConditionDto, description: "The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model.", required: false },
});
describeMembers(AIPolicyDto, {
  apiVersion: { type: "string", enum: ["gatehouse.dev/v1alpha1"], required: false },
  kind: { type: "string", enum: ["AIPolicy"], required: false },
  metadata: { type: () => ObjectMetaDto, required: false },
  spec: { type: () => AIPolicySpecDto },
  status: { type: () => AIPolicyStatusDto, required: false },
});
describeMembers(AIPolicyListDto, {
  apiVersion: { type: "string", enum: ["gatehouse.dev/v1alpha1"] },
  kind: { type: "string", enum: ["AIPolicyList"] },
  items: { isArray: true, type: () => AIPolicyDto },
  nextPageToken: { type: "string", description: "`pageToken` of the next page; absent on the last one", required: false },
  remainingItemCount: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Number of policies after this page; absent on the last page and with a labelSelector", required: false },
});
describeMembers(AIPolicySpecPatchDto, {
  description: { type: "string", maxLength: 2048, description: "A description for administrators.", required: false },
  principalMatchers: { isArray: true, type: () => PrincipalMatcherDto, description: "The policy applies to a principal that one of these matchers matches.", required: false },
  mcpPolicy: { type: () => McpPolicyDto, required: false },
});
describeMembers(AIPolicyPatchDto, {
  spec: { type: () => AIPolicySpecPatchDto, required: false },
});
describeMembers(MatchedPolicyDto, {
  name: { type: "string", maxLength: 253 },
  description: { type: "string", maxLength: 2048, description: "A description for administrators.", required: false },
  mcpPolicy: { type: () => McpPolicyDto, required: false },
});
describeMembers(CallerIntrospectionDto, {
  email: { type: "string", required: false },
  subject: { type: "string" },
  groups: { isArray: true, type: "string", description: "The texts of the claim `groups`" },
  roles: { isArray: true, type: "string", description: "Roles of `spec.auth.authz.roles` of the gateway that match, sorted" },
  matchedPolicies: { isArray: true, type: () => MatchedPolicyDto, description: "Policies of the gateway that match the caller, sorted by name" },
  models: { isArray: true, type: "string", description: "Models that these policies grant, sorted" },
  unrestrictedModels: { type: "boolean", description: "Whether a policy grants all models with `*`" },
});
describeMembers(McpServerEntryDto, {
  name: { type: "string", maxLength: 253 },
  description: { type: "string", required: false },
  ready: { type: "boolean", required: false },
});
describeMembers(CatalogListDto, {
  items: { isArray: true, type: () => McpServerEntryDto },
});
describeMembers(ViolationDto, {
  field: { type: "string", description: "JSON pointer (RFC 6901)" },
  message: { type: "string" },
});
describeMembers(FailureBodyDto, {
  error: { type: "string", description: "Machine code" },
  requestId: { type: "string" },
  violations: { isArray: true, type: () => ViolationDto },
});
describeMembers(GatewayIdentityDto, {
  name: { type: "string", maxLength: 253 },
  namespace: { type: "string", maxLength: 63 },
});
describeMembers(GatewayStatusDto, {
  name: { type: "string", maxLength: 253 },
  namespace: { type: "string", maxLength: 63 },
  generation: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "`metadata.generation` of the AIGateway: counts the changes of its `spec`" },
  observedGeneration: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "The metadata.generation of the policy that was examined.", required: false },
  conditions: { isArray: true, type: () => ConditionDto, description: "The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model.", required: false },
});
describeMembers(ModelDto, {
  id: { type: "string" },
  object: { type: "string", enum: ["model"] },
  created: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Time of the creation of the gateway, in seconds since 1970" },
  owned_by: { type: "string", description: "The kind of the first provider of the model" },
  display_name: { type: "string", required: false },
  context_window: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Size of the context window, in tokens", required: false },
});
describeMembers(ModelListDto, {
  object: { type: "string", enum: ["list"] },
  data: { isArray: true, type: () => ModelDto },
});
describeMembers(ProtectedResourceMetadataDto, {
  resource: { type: "string", description: "Identifier of this API. The `aud` of a token has this value or the audience of the deployment" },
  authorization_servers: { isArray: true, type: "string", description: "Issuers whose access tokens are accepted; absent while there is none", required: false },
  bearer_methods_supported: { isArray: true, type: "string" },
  jwks_uri: { type: "string", description: "Keys for the verification of signatures of this API; absent if it does not sign", required: false },
  scopes_supported: { isArray: true, type: "string" },
  resource_name: { type: "string", description: "Name of this API" },
  resource_documentation: { type: "string", description: "Address of the reference of this API" },
});