// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { EveryValue, UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** Metadata of a resource, with the meaning that Kubernetes gives it */
export class ObjectMetaDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(253)
  name?: Schemas["ObjectMeta"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  namespace?: Schemas["ObjectMeta"]["namespace"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  labels?: Schemas["ObjectMeta"]["labels"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  annotations?: Schemas["ObjectMeta"]["annotations"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  resourceVersion?: Schemas["ObjectMeta"]["resourceVersion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  uid?: Schemas["ObjectMeta"]["uid"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  generation?: Schemas["ObjectMeta"]["generation"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  creationTimestamp?: Schemas["ObjectMeta"]["creationTimestamp"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  deletionTimestamp?: Schemas["ObjectMeta"]["deletionTimestamp"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  deletionGracePeriodSeconds?: Schemas["ObjectMeta"]["deletionGracePeriodSeconds"];
}

/** The AIGateway of the same namespace to which the policy belongs. It cannot be changed. */
export class GatewayRefDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", 'u'))
  name!: Schemas["GatewayRef"]["name"];
}

/** Matches a principal whose token has all of these claims. */
export class PrincipalMatcherDto {
  @EveryValue((value) => typeof value === "string")
  claims!: Schemas["PrincipalMatcher"]["claims"];
}

/** The MCP servers of the policy. This version stores the field and does not enforce it. */
export class McpPolicyDto {
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(64)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(253, { each: true })
  servers?: Schemas["McpPolicy"]["servers"];
}

/** A named group of granted models. */
export class PolicyBudgetDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  name!: Schemas["PolicyBudget"]["name"];

  @rules.IsArray()
  @rules.ArrayMaxSize(256)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^(\\*|[A-Za-z0-9][A-Za-z0-9_.:/@+-]*)$", 'u'), { each: true })
  models!: Schemas["PolicyBudget"]["models"];
}

/** The models that the policy grants, and the matchers of its principals. */
export class AIPolicySpecDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewayRefDto)
  gatewayRef!: Schemas["AIPolicySpec"]["gatewayRef"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  description?: Schemas["AIPolicySpec"]["description"];

  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(32)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PrincipalMatcherDto)
  principalMatchers!: Schemas["AIPolicySpec"]["principalMatchers"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => McpPolicyDto)
  mcpPolicy?: Schemas["AIPolicySpec"]["mcpPolicy"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(32)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PolicyBudgetDto)
  budgets?: Schemas["AIPolicySpec"]["budgets"];
}

/** One observation about the resource, with the fields of a Kubernetes condition. */
export class ConditionDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(316)
  @rules.Matches(new RegExp("^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$", 'u'))
  type!: Schemas["Condition"]["type"];

  @rules.IsIn(["True","False","Unknown"])
  status!: Schemas["Condition"]["status"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(1024)
  @rules.Matches(new RegExp("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$", 'u'))
  reason!: Schemas["Condition"]["reason"];

  @rules.IsString()
  @rules.MaxLength(32768)
  message!: Schemas["Condition"]["message"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(40)
  @rules.Matches(new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$", 'u'))
  lastTransitionTime!: Schemas["Condition"]["lastTransitionTime"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  observedGeneration?: Schemas["Condition"]["observedGeneration"];
}

/** The result of the last examination of the policy. */
export class AIPolicyStatusDto {
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  observedGeneration?: Schemas["AIPolicyStatus"]["observedGeneration"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(253)
  appliedToSecurityPolicy?: Schemas["AIPolicyStatus"]["appliedToSecurityPolicy"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(8)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConditionDto)
  conditions?: Schemas["AIPolicyStatus"]["conditions"];
}

/** A policy that grants models of an AI gateway to principals */
export class AIPolicyDto {
  @UnlessOneOf(undefined)
  @rules.IsIn(["gatehouse.dev/v1alpha1"])
  apiVersion?: Schemas["AIPolicy"]["apiVersion"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["AIPolicy"])
  kind?: Schemas["AIPolicy"]["kind"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ObjectMetaDto)
  metadata?: Schemas["AIPolicy"]["metadata"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AIPolicySpecDto)
  spec!: Schemas["AIPolicy"]["spec"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AIPolicyStatusDto)
  status?: Schemas["AIPolicy"]["status"];
}

/** One page of the policies of the namespace, sorted by name */
export class AIPolicyListDto {
  @rules.IsIn(["gatehouse.dev/v1alpha1"])
  apiVersion!: Schemas["AIPolicyList"]["apiVersion"];

  @rules.IsIn(["AIPolicyList"])
  kind!: Schemas["AIPolicyList"]["kind"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => AIPolicyDto)
  items!: Schemas["AIPolicyList"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  nextPageToken?: Schemas["AIPolicyList"]["nextPageToken"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  remainingItemCount?: Schemas["AIPolicyList"]["remainingItemCount"];
}

/** The fields of a policy that can be patched */
export class AIPolicySpecPatchDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  description?: Schemas["AIPolicySpecPatch"]["description"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(32)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PrincipalMatcherDto)
  principalMatchers?: Schemas["AIPolicySpecPatch"]["principalMatchers"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => McpPolicyDto)
  mcpPolicy?: Schemas["AIPolicySpecPatch"]["mcpPolicy"];
}

/** A JSON merge patch (RFC 7396) of a policy */
export class AIPolicyPatchDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AIPolicySpecPatchDto)
  spec?: Schemas["AIPolicyPatch"]["spec"];
}

/** A policy of the gateway that matches the caller */
export class MatchedPolicyDto {
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["MatchedPolicy"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  description?: Schemas["MatchedPolicy"]["description"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => McpPolicyDto)
  mcpPolicy?: Schemas["MatchedPolicy"]["mcpPolicy"];
}

/** The caller, and the policies that match the caller */
export class CallerIntrospectionDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["CallerIntrospection"]["email"];

  @rules.IsString()
  subject!: Schemas["CallerIntrospection"]["subject"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["CallerIntrospection"]["groups"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  roles!: Schemas["CallerIntrospection"]["roles"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => MatchedPolicyDto)
  matchedPolicies!: Schemas["CallerIntrospection"]["matchedPolicies"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  models!: Schemas["CallerIntrospection"]["models"];

  @rules.IsBoolean()
  unrestrictedModels!: Schemas["CallerIntrospection"]["unrestrictedModels"];
}

/** An MCP server of the gateway */
export class McpServerEntryDto {
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["McpServerEntry"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["McpServerEntry"]["description"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  ready?: Schemas["McpServerEntry"]["ready"];
}

/** The MCP servers of the gateway; empty in this version */
export class CatalogListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => McpServerEntryDto)
  items!: Schemas["CatalogList"]["items"];
}

export class ViolationDto {
  @rules.IsString()
  field!: Schemas["Violation"]["field"];

  @rules.IsString()
  message!: Schemas["Violation"]["message"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];

  @rules.IsString()
  requestId!: Schemas["FailureBody"]["requestId"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ViolationDto)
  violations!: Schemas["FailureBody"]["violations"];
}

/** The owning gateway, from the configuration of this instance */
export class GatewayIdentityDto {
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["GatewayIdentity"]["name"];

  @rules.IsString()
  @rules.MaxLength(63)
  namespace!: Schemas["GatewayIdentity"]["namespace"];
}

/** The owning gateway, and what the service found when it examined it */
export class GatewayStatusDto {
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["GatewayStatus"]["name"];

  @rules.IsString()
  @rules.MaxLength(63)
  namespace!: Schemas["GatewayStatus"]["namespace"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  generation!: Schemas["GatewayStatus"]["generation"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  observedGeneration?: Schemas["GatewayStatus"]["observedGeneration"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(8)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConditionDto)
  conditions?: Schemas["GatewayStatus"]["conditions"];
}

/** A model of the gateway */
export class ModelDto {
  @rules.IsString()
  id!: Schemas["Model"]["id"];

  @rules.IsIn(["model"])
  object!: Schemas["Model"]["object"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  created!: Schemas["Model"]["created"];

  @rules.IsString()
  owned_by!: Schemas["Model"]["owned_by"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["Model"]["display_name"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  context_window?: Schemas["Model"]["context_window"];
}

/** The models of the routes of the gateway, each once, sorted by id */
export class ModelListDto {
  @rules.IsIn(["list"])
  object!: Schemas["ModelList"]["object"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ModelDto)
  data!: Schemas["ModelList"]["data"];
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728) */
export class ProtectedResourceMetadataDto {
  @rules.IsString()
  resource!: Schemas["ProtectedResourceMetadata"]["resource"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsString({ each: true })
  authorization_servers?: Schemas["ProtectedResourceMetadata"]["authorization_servers"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  bearer_methods_supported!: Schemas["ProtectedResourceMetadata"]["bearer_methods_supported"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  jwks_uri?: Schemas["ProtectedResourceMetadata"]["jwks_uri"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ProtectedResourceMetadata"]["scopes_supported"];

  @rules.IsString()
  resource_name!: Schemas["ProtectedResourceMetadata"]["resource_name"];

  @rules.IsString()
  resource_documentation!: Schemas["ProtectedResourceMetadata"]["resource_documentation"];
}
