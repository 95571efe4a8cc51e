// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { AnyOf, EveryValue, UnlessOneOf, isValid } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The payer whose budget is charged; absent when no budget applies and spending is unlimited */
export class AdmissionAnswerPayerDto {
  @rules.IsIn(["user","group"])
  scope!: NonNullable<Schemas["AdmissionAnswer"]["payer"]>["scope"];

  @rules.IsString()
  subject_id!: NonNullable<Schemas["AdmissionAnswer"]["payer"]>["subject_id"];
}

/** The decision whether a model request may run */
export class AdmissionAnswerDto {
  @rules.IsIn(["admitted","denied"])
  decision!: Schemas["AdmissionAnswer"]["decision"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason?: Schemas["AdmissionAnswer"]["reason"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  message?: Schemas["AdmissionAnswer"]["message"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["AdmissionAnswer"]["reservation_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  admitted_at!: Schemas["AdmissionAnswer"]["admitted_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["AdmissionAnswer"]["expires_at"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AdmissionAnswerPayerDto)
  payer?: Schemas["AdmissionAnswer"]["payer"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  reserved_usd?: Schemas["AdmissionAnswer"]["reserved_usd"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["AdmissionAnswer"]["pricing_catalog_id"];
}

export class PersonPrincipalDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer!: Schemas["PersonPrincipal"]["issuer"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(255)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject!: Schemas["PersonPrincipal"]["subject"];
}

export class KeyPrincipalDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(64)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  virtual_key_id!: Schemas["KeyPrincipal"]["virtual_key_id"];
}

export class UsageEstimateDto {
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  prompt_tokens!: Schemas["UsageEstimate"]["prompt_tokens"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  max_output_tokens?: Schemas["UsageEstimate"]["max_output_tokens"];
}

/** A model request that a gateway wants to send to an upstream */
export class AdmissionRequestDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  interaction_id!: Schemas["AdmissionRequest"]["interaction_id"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000000)
  attempt!: Schemas["AdmissionRequest"]["attempt"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["AdmissionRequest"]["gateway_id"];

  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["AdmissionRequest"]["principal"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["AdmissionRequest"]["provider"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  requested_model!: Schemas["AdmissionRequest"]["requested_model"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["AdmissionRequest"]["model"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  route!: Schemas["AdmissionRequest"]["route"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UsageEstimateDto)
  estimate!: Schemas["AdmissionRequest"]["estimate"];
}

/** Rates of requests with long prompts. They replace the same rates of the block for the whole request */
export class PromptSizeTierDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["PromptSizeTier"]["inputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["PromptSizeTier"]["cachedInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation5mInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheCreation5mInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation1hInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheCreation1hInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheWriteInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheWriteInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["PromptSizeTier"]["audioInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedAudioInputUsdPerMillion?: Schemas["PromptSizeTier"]["cachedAudioInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["PromptSizeTier"]["outputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  reasoningOutputUsdPerMillion?: Schemas["PromptSizeTier"]["reasoningOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  thoughtsOutputUsdPerMillion?: Schemas["PromptSizeTier"]["thoughtsOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["PromptSizeTier"]["audioOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  aboveTokens?: Schemas["PromptSizeTier"]["aboveTokens"];
}

/** Rates of an Anthropic model, in US dollars per million tokens */
export class AnthropicRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["AnthropicRates"]["inputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["AnthropicRates"]["cachedInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation5mInputUsdPerMillion?: Schemas["AnthropicRates"]["cacheCreation5mInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation1hInputUsdPerMillion?: Schemas["AnthropicRates"]["cacheCreation1hInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["AnthropicRates"]["outputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["AnthropicRates"]["promptSizeTiers"];
}

export class AnthropicToolRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  webSearchUsdPerThousand?: Schemas["AnthropicToolRates"]["webSearchUsdPerThousand"];
}

/** A change, or a request that was answered 403 */
export class AuditEventDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["AuditEvent"]["id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  occurred_at!: Schemas["AuditEvent"]["occurred_at"];

  @rules.IsString()
  request_id!: Schemas["AuditEvent"]["request_id"];

  @rules.IsString()
  issuer!: Schemas["AuditEvent"]["issuer"];

  @rules.IsString()
  subject!: Schemas["AuditEvent"]["subject"];

  @rules.IsString()
  subject_id!: Schemas["AuditEvent"]["subject_id"];

  @rules.IsString()
  operation!: Schemas["AuditEvent"]["operation"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  object_kind?: Schemas["AuditEvent"]["object_kind"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  object_id?: Schemas["AuditEvent"]["object_id"];

  @rules.IsIn(["succeeded","forbidden"])
  outcome!: Schemas["AuditEvent"]["outcome"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  changed_fields!: Schemas["AuditEvent"]["changed_fields"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  occurrences!: Schemas["AuditEvent"]["occurrences"];
}

/** Audit events, newest first */
export class AuditEventPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => AuditEventDto)
  items!: Schemas["AuditEventPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["AuditEventPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["AuditEventPage"]["prev_cursor"];
}

/** The AWS role for a value of the role claim */
export class RoleMappingDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  claim?: Schemas["RoleMapping"]["claim"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  matcher?: Schemas["RoleMapping"]["matcher"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-1000000)
  @rules.Max(1000000)
  priority?: Schemas["RoleMapping"]["priority"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_arn?: Schemas["RoleMapping"]["role_arn"];
}

export class AwsStsAuthDto {
  @rules.IsString()
  provider_id!: Schemas["AwsStsAuth"]["provider_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  region!: Schemas["AwsStsAuth"]["region"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  service?: Schemas["AwsStsAuth"]["service"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_claim?: Schemas["AwsStsAuth"]["role_claim"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => RoleMappingDto)
  role_mappings?: Schemas["AwsStsAuth"]["role_mappings"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  fallback_role_arn?: Schemas["AwsStsAuth"]["fallback_role_arn"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(900)
  @rules.Max(43200)
  session_duration?: Schemas["AwsStsAuth"]["session_duration"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  session_name_claim?: Schemas["AwsStsAuth"]["session_name_claim"];
}

export class AwsStsAuthWriteDto {
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["AwsStsAuthWrite"]["provider_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  region!: Schemas["AwsStsAuthWrite"]["region"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  service?: Schemas["AwsStsAuthWrite"]["service"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_claim?: Schemas["AwsStsAuthWrite"]["role_claim"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => RoleMappingDto)
  role_mappings?: Schemas["AwsStsAuthWrite"]["role_mappings"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  fallback_role_arn?: Schemas["AwsStsAuthWrite"]["fallback_role_arn"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(900)
  @rules.Max(43200)
  session_duration?: Schemas["AwsStsAuthWrite"]["session_duration"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  session_name_claim?: Schemas["AwsStsAuthWrite"]["session_name_claim"];
}

/** A key of a Kubernetes Secret in the cluster of the gateway. The gateway reads it */
export class KubernetesSecretRefDto {
  @rules.IsString()
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", 'u'))
  name!: Schemas["KubernetesSecretRef"]["name"];

  @rules.IsString()
  @rules.MaxLength(63)
  @rules.Matches(new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 'u'))
  namespace!: Schemas["KubernetesSecretRef"]["namespace"];

  @rules.IsString()
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+$", 'u'))
  key!: Schemas["KubernetesSecretRef"]["key"];
}

/** A reference to a secret. Exactly one member is required */
export class SecretRefDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  managed_secret_id?: Schemas["SecretRef"]["managed_secret_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  managed_secret_name?: Schemas["SecretRef"]["managed_secret_name"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => KubernetesSecretRefDto)
  kubernetes_secret?: Schemas["SecretRef"]["kubernetes_secret"];
}

export class BearerTokenAuthWriteDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  token?: Schemas["BearerTokenAuthWrite"]["token"];
}

/** Turns a feature of the client on or off */
export class BooleanDirectiveDto {
  @rules.IsBoolean()
  value!: Schemas["BooleanDirective"]["value"];

  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["BooleanDirective"]["enforcement"];
}

/** The amount of one model, provider, user or group */
export class BreakdownEntryDto {
  @rules.IsString()
  value!: Schemas["BreakdownEntry"]["value"];

  @rules.IsString()
  used_usd!: Schemas["BreakdownEntry"]["used_usd"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BreakdownEntry"]["period"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BreakdownEntry"]["period_start"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BreakdownEntry"]["period_end"];
}

/** A webhook endpoint that is called when a budget reaches a threshold */
export class BudgetAlertDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlert"]["id"];

  @rules.IsString()
  name!: Schemas["BudgetAlert"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlert"]["scope"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["BudgetAlert"]["subject_id"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlert"]["periods"];

  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlert"]["thresholds"];

  @rules.IsString()
  url!: Schemas["BudgetAlert"]["url"];

  @rules.IsBoolean()
  allow_private_ips!: Schemas["BudgetAlert"]["allow_private_ips"];

  @rules.IsBoolean()
  enabled!: Schemas["BudgetAlert"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["BudgetAlert"]["previous_secret_valid_until"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlert"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["BudgetAlert"]["updated_at"];
}

export class BudgetAlertDeliveryAttemptsDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  at!: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["at"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  status?: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["error"];
}

/** The delivery of one crossed threshold of a budget window to the target of an alert */
export class BudgetAlertDeliveryDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlertDelivery"]["id"];

  @rules.IsString()
  @rules.IsUUID('all')
  alert_id!: Schemas["BudgetAlertDelivery"]["alert_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["BudgetAlertDelivery"]["sequence"];

  @rules.IsIn(["crossing","test"])
  kind!: Schemas["BudgetAlertDelivery"]["kind"];

  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetAlertDelivery"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["BudgetAlertDelivery"]["subject_id"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetAlertDelivery"]["period"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["BudgetAlertDelivery"]["period_start"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["BudgetAlertDelivery"]["period_end"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  threshold_percent!: Schemas["BudgetAlertDelivery"]["threshold_percent"];

  @rules.IsString()
  limit_usd!: Schemas["BudgetAlertDelivery"]["limit_usd"];

  @rules.IsString()
  used_usd!: Schemas["BudgetAlertDelivery"]["used_usd"];

  @rules.IsString()
  reserved_usd!: Schemas["BudgetAlertDelivery"]["reserved_usd"];

  @rules.IsIn(["pending","delivered","failed"])
  state!: Schemas["BudgetAlertDelivery"]["state"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDeliveryAttemptsDto)
  attempts!: Schemas["BudgetAlertDelivery"]["attempts"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  next_attempt_at?: Schemas["BudgetAlertDelivery"]["next_attempt_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlertDelivery"]["created_at"];
}

/** Deliveries of an alert, newest first */
export class BudgetAlertDeliveryPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDeliveryDto)
  items!: Schemas["BudgetAlertDeliveryPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetAlertDeliveryPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["BudgetAlertDeliveryPage"]["prev_cursor"];
}

/** Alerts in the order of their creation */
export class BudgetAlertPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDto)
  items!: Schemas["BudgetAlertPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetAlertPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["BudgetAlertPage"]["prev_cursor"];
}

/** An alert with its new signing secret */
export class BudgetAlertWithSecretDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlertWithSecret"]["id"];

  @rules.IsString()
  name!: Schemas["BudgetAlertWithSecret"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlertWithSecret"]["scope"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["BudgetAlertWithSecret"]["subject_id"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlertWithSecret"]["periods"];

  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlertWithSecret"]["thresholds"];

  @rules.IsString()
  url!: Schemas["BudgetAlertWithSecret"]["url"];

  @rules.IsBoolean()
  allow_private_ips!: Schemas["BudgetAlertWithSecret"]["allow_private_ips"];

  @rules.IsBoolean()
  enabled!: Schemas["BudgetAlertWithSecret"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["BudgetAlertWithSecret"]["previous_secret_valid_until"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlertWithSecret"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["BudgetAlertWithSecret"]["updated_at"];

  @rules.IsString()
  secret!: Schemas["BudgetAlertWithSecret"]["secret"];
}

/** The settings of an alert */
export class BudgetAlertWriteDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["BudgetAlertWrite"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlertWrite"]["scope"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(1024)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_id?: Schemas["BudgetAlertWrite"]["subject_id"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlertWrite"]["periods"];

  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlertWrite"]["thresholds"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  url!: Schemas["BudgetAlertWrite"]["url"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["BudgetAlertWrite"]["allow_private_ips"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  enabled?: Schemas["BudgetAlertWrite"]["enabled"];
}

/** The used amounts of the current window. The entries of each list add up to the total */
export class BudgetBreakdownDto {
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetBreakdown"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["BudgetBreakdown"]["subject_id"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BudgetBreakdown"]["period"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BudgetBreakdown"]["period_start"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BudgetBreakdown"]["period_end"];

  @rules.IsString()
  total_used_usd!: Schemas["BudgetBreakdown"]["total_used_usd"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_model!: Schemas["BudgetBreakdown"]["by_model"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_provider!: Schemas["BudgetBreakdown"]["by_provider"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_user!: Schemas["BudgetBreakdown"]["by_user"];
}

/** The usage of a budget in one window */
export class BudgetCellDto {
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetCell"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["BudgetCell"]["subject_id"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetCell"]["period"];

  @rules.IsString()
  limit_usd!: Schemas["BudgetCell"]["limit_usd"];

  @rules.IsString()
  used_usd!: Schemas["BudgetCell"]["used_usd"];

  @rules.IsString()
  remaining_usd!: Schemas["BudgetCell"]["remaining_usd"];

  @rules.IsString()
  reserved_usd!: Schemas["BudgetCell"]["reserved_usd"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["BudgetCell"]["period_start"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["BudgetCell"]["period_end"];

  @rules.IsBoolean()
  on_default!: Schemas["BudgetCell"]["on_default"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  ordinal!: Schemas["BudgetCell"]["ordinal"];
}

/** Budget cells: groups first, then by subject and period */
export class BudgetCellsPageDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  at!: Schemas["BudgetCellsPage"]["at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  limits_as_of!: Schemas["BudgetCellsPage"]["limits_as_of"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetCellDto)
  cells!: Schemas["BudgetCellsPage"]["cells"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetCellsPage"]["next_cursor"];
}

/** The limit of a user or group in each window of a period */
export class BudgetSpecDto {
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetSpec"]["scope"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(320)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_id!: Schemas["BudgetSpec"]["subject_id"];

  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["BudgetSpec"]["limit_usd"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetSpec"]["period"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(2147483647)
  precedence?: Schemas["BudgetSpec"]["precedence"];
}

/** All budgets, groups first, then by subject and period */
export class BudgetCollectionDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(20000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetSpecDto)
  budgets!: Schemas["BudgetCollection"]["budgets"];
}

/** The denials of one minute, user, reason and model */
export class BudgetDenialDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetDenial"]["id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  minute!: Schemas["BudgetDenial"]["minute"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_denied_at!: Schemas["BudgetDenial"]["last_denied_at"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  denial_count!: Schemas["BudgetDenial"]["denial_count"];

  @rules.IsIn(["request","lease"])
  kind!: Schemas["BudgetDenial"]["kind"];

  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason!: Schemas["BudgetDenial"]["reason"];

  @rules.IsString()
  gateway_id!: Schemas["BudgetDenial"]["gateway_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  auth_subject?: Schemas["BudgetDenial"]["auth_subject"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  virtual_key_id?: Schemas["BudgetDenial"]["virtual_key_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  provider?: Schemas["BudgetDenial"]["provider"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  model?: Schemas["BudgetDenial"]["model"];
}

/** Denials, newest first */
export class BudgetDenialsPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetDenialDto)
  denials!: Schemas["BudgetDenialsPage"]["denials"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetDenialsPage"]["next_cursor"];
}

/** The used amounts of the current window. The entries add up to the total */
export class BudgetSliceDto {
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetSlice"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["BudgetSlice"]["subject_id"];

  @rules.IsIn(["user","model","group"])
  dimension!: Schemas["BudgetSlice"]["dimension"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BudgetSlice"]["period"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BudgetSlice"]["period_start"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BudgetSlice"]["period_end"];

  @rules.IsString()
  total_used_usd!: Schemas["BudgetSlice"]["total_used_usd"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  entries!: Schemas["BudgetSlice"]["entries"];
}

export class CaCertificateSettingsDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  pem?: Schemas["CaCertificateSettings"]["pem"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  url?: Schemas["CaCertificateSettings"]["url"];
}

/** Certificate authorities that clients trust in addition to those of the machine */
export class CaCertificateDirectiveDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => CaCertificateSettingsDto)
  value!: Schemas["CaCertificateDirective"]["value"];

  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["CaCertificateDirective"]["enforcement"];
}

/** A signed statement of the last record of a gateway at a time */
export class ChainHeadDto {
  @rules.IsIn(["head"])
  statement!: Schemas["ChainHead"]["statement"];

  @rules.IsString()
  chain_id!: Schemas["ChainHead"]["chain_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["ChainHead"]["sequence"];

  @rules.IsString()
  chain_hash!: Schemas["ChainHead"]["chain_hash"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["ChainHead"]["signed_at"];

  @rules.IsString()
  hash_alg!: Schemas["ChainHead"]["hash_alg"];

  @rules.IsString()
  sig_alg!: Schemas["ChainHead"]["sig_alg"];

  @rules.IsString()
  key_id!: Schemas["ChainHead"]["key_id"];

  @rules.IsString()
  signature!: Schemas["ChainHead"]["signature"];
}

/** A signed statement of the record after which a chain begins */
export class ChainStartDto {
  @rules.IsIn(["chain_start"])
  statement!: Schemas["ChainStart"]["statement"];

  @rules.IsString()
  chain_id!: Schemas["ChainStart"]["chain_id"];

  @rules.IsString()
  previous_chain_id!: Schemas["ChainStart"]["previous_chain_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  previous_sequence!: Schemas["ChainStart"]["previous_sequence"];

  @rules.IsString()
  previous_hash!: Schemas["ChainStart"]["previous_hash"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["ChainStart"]["signed_at"];

  @rules.IsString()
  hash_alg!: Schemas["ChainStart"]["hash_alg"];

  @rules.IsString()
  sig_alg!: Schemas["ChainStart"]["sig_alg"];

  @rules.IsString()
  key_id!: Schemas["ChainStart"]["key_id"];

  @rules.IsString()
  signature!: Schemas["ChainStart"]["signature"];
}

export class ChangedBindingDto {
  @rules.IsString()
  issuer!: Schemas["ChangedBinding"]["issuer"];

  @rules.IsString()
  claim!: Schemas["ChangedBinding"]["claim"];

  @rules.IsString()
  binding_key!: Schemas["ChangedBinding"]["binding_key"];

  @rules.IsBoolean()
  active!: Schemas["ChangedBinding"]["active"];
}

export class ChangedKeyDto {
  @rules.IsString()
  key_id!: Schemas["ChangedKey"]["key_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["ChangedKey"]["version"];
}

export class ChangedPersonDto {
  @rules.IsString()
  issuer!: Schemas["ChangedPerson"]["issuer"];

  @rules.IsString()
  subject!: Schemas["ChangedPerson"]["subject"];

  @rules.IsBoolean()
  active!: Schemas["ChangedPerson"]["active"];
}

export class ChangedUserDto {
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["ChangedUser"]["user_id"];

  @rules.IsString()
  issuer!: Schemas["ChangedUser"]["issuer"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  subject?: Schemas["ChangedUser"]["subject"];
}

/** The cost of one usage event, and its payer */
export class ChargeDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Charge"]["id"];

  @rules.IsString()
  @rules.IsUUID('all')
  event_id!: Schemas["Charge"]["event_id"];

  @rules.IsString()
  interaction_id!: Schemas["Charge"]["interaction_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  attempt!: Schemas["Charge"]["attempt"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  event_time!: Schemas["Charge"]["event_time"];

  @rules.IsString()
  auth_subject!: Schemas["Charge"]["auth_subject"];

  @rules.IsString()
  provider!: Schemas["Charge"]["provider"];

  @rules.IsString()
  model!: Schemas["Charge"]["model"];

  @rules.IsIn(["user","group"])
  scope!: Schemas["Charge"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["Charge"]["subject_id"];

  @rules.IsString()
  charged_usd!: Schemas["Charge"]["charged_usd"];

  @rules.IsIn(["reported","estimated","none"])
  basis!: Schemas["Charge"]["basis"];

  @EveryValue((value) => typeof value === "number" || typeof value === "string")
  usage!: Schemas["Charge"]["usage"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["Charge"]["period_start"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["Charge"]["period_end"];

  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id!: Schemas["Charge"]["pricing_catalog_id"];
}

/** Charges, newest first */
export class ChargesPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChargeDto)
  charges!: Schemas["ChargesPage"]["charges"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ChargesPage"]["next_cursor"];
}

export class ClearedConnectionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ClearedConnection"]["connector_id"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  version!: Schemas["ClearedConnection"]["version"];
}

/** The first document that a client reads */
export class ClientBootstrapDiscoveryDto {
  @rules.IsString()
  issuer!: Schemas["ClientBootstrapDiscovery"]["issuer"];

  @rules.IsString()
  client_id!: Schemas["ClientBootstrapDiscovery"]["client_id"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ClientBootstrapDiscovery"]["scopes_supported"];

  @rules.IsString()
  config_endpoint!: Schemas["ClientBootstrapDiscovery"]["config_endpoint"];

  @rules.IsString()
  jwks_uri!: Schemas["ClientBootstrapDiscovery"]["jwks_uri"];

  @rules.IsString()
  oauth_protected_resource!: Schemas["ClientBootstrapDiscovery"]["oauth_protected_resource"];
}

export class RegistrySettingsDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  api_url?: Schemas["RegistrySettings"]["api_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  server_api_url?: Schemas["RegistrySettings"]["server_api_url"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ip?: Schemas["RegistrySettings"]["allow_private_ip"];
}

/** The registry in which clients find MCP servers */
export class RegistryDirectiveDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => RegistrySettingsDto)
  value!: Schemas["RegistryDirective"]["value"];

  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["RegistryDirective"]["enforcement"];
}

export class TelemetrySettingsDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  otel_endpoint?: Schemas["TelemetrySettings"]["otel_endpoint"];

  @UnlessOneOf(undefined)
  @rules.IsNumber()
  @rules.Min(0)
  @rules.Max(1)
  sampling_rate?: Schemas["TelemetrySettings"]["sampling_rate"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  tracing_enabled?: Schemas["TelemetrySettings"]["tracing_enabled"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  metrics_enabled?: Schemas["TelemetrySettings"]["metrics_enabled"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure?: Schemas["TelemetrySettings"]["insecure"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  headers?: Schemas["TelemetrySettings"]["headers"];
}

/** The collector to which clients send telemetry */
export class TelemetryDirectiveDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TelemetrySettingsDto)
  value!: Schemas["TelemetryDirective"]["value"];

  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["TelemetryDirective"]["enforcement"];
}

export class GatewaySettingsDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  api_url?: Schemas["GatewaySettings"]["api_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  proxy_url?: Schemas["GatewaySettings"]["proxy_url"];
}

/** The AI gateway that clients use for models */
export class GatewayDirectiveDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewaySettingsDto)
  value!: Schemas["GatewayDirective"]["value"];

  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["GatewayDirective"]["enforcement"];
}

/** The behaviour of clients while a dependency of the manager is down */
export class DegradedModeDto {
  @rules.IsIn(["warn","block_new"])
  policy!: Schemas["DegradedMode"]["policy"];

  @rules.IsString()
  @rules.MaxLength(32)
  grace_period!: Schemas["DegradedMode"]["grace_period"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(500)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  message!: Schemas["DegradedMode"]["message"];
}

/** The directives for clients */
export class EnterpriseConfigDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => RegistryDirectiveDto)
  registry?: Schemas["EnterpriseConfig"]["registry"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  non_registry_servers?: Schemas["EnterpriseConfig"]["non_registry_servers"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TelemetryDirectiveDto)
  telemetry?: Schemas["EnterpriseConfig"]["telemetry"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => CaCertificateDirectiveDto)
  ca_certificate?: Schemas["EnterpriseConfig"]["ca_certificate"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  build_env?: Schemas["EnterpriseConfig"]["build_env"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  playground?: Schemas["EnterpriseConfig"]["playground"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  help_menu?: Schemas["EnterpriseConfig"]["help_menu"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  assistant?: Schemas["EnterpriseConfig"]["assistant"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewayDirectiveDto)
  gateway?: Schemas["EnterpriseConfig"]["gateway"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DegradedModeDto)
  degraded_mode?: Schemas["EnterpriseConfig"]["degraded_mode"];
}

/** Directives for the users of a group */
export class ClientConfigOverrideDto {
  @rules.IsString()
  @rules.IsUUID('all')
  group_id!: Schemas["ClientConfigOverride"]["group_id"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000)
  precedence!: Schemas["ClientConfigOverride"]["precedence"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ClientConfigOverride"]["config"];
}

/** The configuration of clients */
export class ClientConfigDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ClientConfig"]["config"];

  @rules.IsArray()
  @rules.ArrayMaxSize(500)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ClientConfigOverrideDto)
  overrides!: Schemas["ClientConfig"]["overrides"];
}

/** The behaviour of clients while a dependency of the manager is down, and whether one is down now */
export class DegradedModeStateDto {
  @rules.IsIn(["warn","block_new"])
  policy!: Schemas["DegradedModeState"]["policy"];

  @rules.IsString()
  @rules.MaxLength(32)
  grace_period!: Schemas["DegradedModeState"]["grace_period"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(500)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  message!: Schemas["DegradedModeState"]["message"];

  @rules.IsBoolean()
  in_force!: Schemas["DegradedModeState"]["in_force"];
}

/** The configuration of a client, signed for its type and its user */
export class ConfigEnvelopeDto {
  @rules.IsString()
  schema_version!: Schemas["ConfigEnvelope"]["schema_version"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ConfigEnvelope"]["config"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DegradedModeStateDto)
  degraded_mode?: Schemas["ConfigEnvelope"]["degraded_mode"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  issued_at!: Schemas["ConfigEnvelope"]["issued_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  not_after!: Schemas["ConfigEnvelope"]["not_after"];

  @rules.IsString()
  refresh_interval!: Schemas["ConfigEnvelope"]["refresh_interval"];

  @rules.IsString()
  etag!: Schemas["ConfigEnvelope"]["etag"];

  @rules.IsString()
  signature!: Schemas["ConfigEnvelope"]["signature"];
}

/** The settings of a user for a connector */
export class ConnectionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Connection"]["id"];

  @rules.IsString()
  gateway_id!: Schemas["Connection"]["gateway_id"];

  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["Connection"]["connector_id"];

  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["Connection"]["user_id"];

  @rules.IsBoolean()
  enabled!: Schemas["Connection"]["enabled"];

  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["Connection"]["tools_enabled_by_default"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  tools_exception_list!: Schemas["Connection"]["tools_exception_list"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsString({ each: true })
  unknown_tools?: Schemas["Connection"]["unknown_tools"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status?: Schemas["Connection"]["connection_status"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Connection"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Connection"]["updated_at"];
}

/** A connection of the caller to a connector */
export class ConnectionCreateDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["ConnectionCreate"]["gateway_id"];

  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectionCreate"]["connector_id"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  enabled?: Schemas["ConnectionCreate"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  tools_enabled_by_default?: Schemas["ConnectionCreate"]["tools_enabled_by_default"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  tools_exception_list?: Schemas["ConnectionCreate"]["tools_exception_list"];
}

/** Whether the gateway offers the connector to the caller */
export class ConnectionEnabledWriteDto {
  @rules.IsBoolean()
  enabled!: Schemas["ConnectionEnabledWrite"]["enabled"];
}

/** Connections in the order of their creation */
export class ConnectionPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectionDto)
  items!: Schemas["ConnectionPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectionPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectionPage"]["prev_cursor"];
}

/** The connection status of a user at an upstream, as a gateway observed it */
export class ObservedConnectionStatusDto {
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["ObservedConnectionStatus"]["user_id"];

  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ObservedConnectionStatus"]["connector_id"];

  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ObservedConnectionStatus"]["connection_status"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  tools?: Schemas["ObservedConnectionStatus"]["tools"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  observed_at!: Schemas["ObservedConnectionStatus"]["observed_at"];
}

/** Connection statuses that a gateway observed */
export class ConnectionStatusBatchDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ObservedConnectionStatusDto)
  statuses!: Schemas["ConnectionStatusBatch"]["statuses"];
}

export class ConnectionStatusReceiptDto {
  @rules.IsIn(["stored","stale","rejected"])
  status!: Schemas["ConnectionStatusReceipt"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ConnectionStatusReceipt"]["error"];
}

/** One result for each observation */
export class ConnectionStatusReceiptsDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectionStatusReceiptDto)
  results!: Schemas["ConnectionStatusReceipts"]["results"];
}

/** The enabled tools; an omitted list is empty */
export class ConnectionToolPolicyWriteDto {
  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["ConnectionToolPolicyWrite"]["tools_enabled_by_default"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  tools_exception_list?: Schemas["ConnectionToolPolicyWrite"]["tools_exception_list"];
}

export class HeaderInjectionAuthDto {
  @rules.IsString()
  header_name!: Schemas["HeaderInjectionAuth"]["header_name"];
}

export class UpstreamInjectAuthDto {
  @rules.IsString()
  provider_id!: Schemas["UpstreamInjectAuth"]["provider_id"];
}

export class TokenExchangeAuthDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_url?: Schemas["TokenExchangeAuth"]["token_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["TokenExchangeAuth"]["client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["TokenExchangeAuth"]["audience"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["TokenExchangeAuth"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id?: Schemas["TokenExchangeAuth"]["provider_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["TokenExchangeAuth"]["subject_token_type"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  external_token_header_name?: Schemas["TokenExchangeAuth"]["external_token_header_name"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  client_secret_configured?: Schemas["TokenExchangeAuth"]["client_secret_configured"];
}

export class OboAuthDto {
  @rules.IsString()
  provider_id!: Schemas["OboAuth"]["provider_id"];

  @rules.IsString()
  client_id!: Schemas["OboAuth"]["client_id"];

  @rules.IsString()
  tenant_id!: Schemas["OboAuth"]["tenant_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["OboAuth"]["audience"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authority?: Schemas["OboAuth"]["authority"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["OboAuth"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^\\d{1,4}(ms|s|m)$", 'u'))
  cache_skew?: Schemas["OboAuth"]["cache_skew"];
}

export class XaaAuthDto {
  @rules.IsString()
  provider_id!: Schemas["XaaAuth"]["provider_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_client_id?: Schemas["XaaAuth"]["idp_client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_token_url?: Schemas["XaaAuth"]["idp_token_url"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure_target_token_url?: Schemas["XaaAuth"]["insecure_target_token_url"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["XaaAuth"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["XaaAuth"]["subject_token_type"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_audience?: Schemas["XaaAuth"]["target_audience"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_client_id?: Schemas["XaaAuth"]["target_client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_resource?: Schemas["XaaAuth"]["target_resource"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_token_url?: Schemas["XaaAuth"]["target_token_url"];
}

/** How the gateway authenticates to the upstream */
export class ConnectorAuthDto {
  @rules.IsIn(["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"])
  type!: Schemas["ConnectorAuth"]["type"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => HeaderInjectionAuthDto)
  header_injection?: Schemas["ConnectorAuth"]["header_injection"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UpstreamInjectAuthDto)
  upstream_inject?: Schemas["ConnectorAuth"]["upstream_inject"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TokenExchangeAuthDto)
  token_exchange?: Schemas["ConnectorAuth"]["token_exchange"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AwsStsAuthDto)
  aws_sts?: Schemas["ConnectorAuth"]["aws_sts"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OboAuthDto)
  obo?: Schemas["ConnectorAuth"]["obo"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => XaaAuthDto)
  xaa?: Schemas["ConnectorAuth"]["xaa"];
}

/** An MCP server that a gateway offers */
export class ConnectorDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Connector"]["id"];

  @rules.IsString()
  gateway_id!: Schemas["Connector"]["gateway_id"];

  @rules.IsString()
  name!: Schemas["Connector"]["name"];

  @rules.IsString()
  slug!: Schemas["Connector"]["slug"];

  @rules.IsString()
  endpoint!: Schemas["Connector"]["endpoint"];

  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["Connector"]["transport"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorAuthDto)
  auth!: Schemas["Connector"]["auth"];

  @rules.IsBoolean()
  allow_private_ips!: Schemas["Connector"]["allow_private_ips"];

  @rules.IsIn(["kubernetes","proxy_remote"])
  deployment_mode!: Schemas["Connector"]["deployment_mode"];

  @rules.IsIn(["manual","kubernetes_cluster","custom_registry","gatehouse_registry"])
  origin!: Schemas["Connector"]["origin"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["Connector"]["description"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  icon_url?: Schemas["Connector"]["icon_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  repository_url?: Schemas["Connector"]["repository_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  support_url?: Schemas["Connector"]["support_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  version?: Schemas["Connector"]["version"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  source_name?: Schemas["Connector"]["source_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  source_namespace?: Schemas["Connector"]["source_namespace"];

  @rules.IsIn(["draft","available","failure"])
  status!: Schemas["Connector"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  status_message?: Schemas["Connector"]["status_message"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Connector"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Connector"]["updated_at"];
}

export class HeaderInjectionAuthWriteDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  header_name!: Schemas["HeaderInjectionAuthWrite"]["header_name"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  value?: Schemas["HeaderInjectionAuthWrite"]["value"];
}

export class UpstreamInjectAuthWriteDto {
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["UpstreamInjectAuthWrite"]["provider_id"];
}

export class TokenExchangeAuthWriteDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_url?: Schemas["TokenExchangeAuthWrite"]["token_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["TokenExchangeAuthWrite"]["client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["TokenExchangeAuthWrite"]["audience"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["TokenExchangeAuthWrite"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id?: Schemas["TokenExchangeAuthWrite"]["provider_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["TokenExchangeAuthWrite"]["subject_token_type"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  external_token_header_name?: Schemas["TokenExchangeAuthWrite"]["external_token_header_name"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["TokenExchangeAuthWrite"]["client_secret"];
}

export class OboAuthWriteDto {
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["OboAuthWrite"]["provider_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id!: Schemas["OboAuthWrite"]["client_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  tenant_id!: Schemas["OboAuthWrite"]["tenant_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["OboAuthWrite"]["audience"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authority?: Schemas["OboAuthWrite"]["authority"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["OboAuthWrite"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^\\d{1,4}(ms|s|m)$", 'u'))
  cache_skew?: Schemas["OboAuthWrite"]["cache_skew"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["OboAuthWrite"]["client_secret"];
}

export class XaaAuthWriteDto {
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["XaaAuthWrite"]["provider_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_client_id?: Schemas["XaaAuthWrite"]["idp_client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_token_url?: Schemas["XaaAuthWrite"]["idp_token_url"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure_target_token_url?: Schemas["XaaAuthWrite"]["insecure_target_token_url"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["XaaAuthWrite"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["XaaAuthWrite"]["subject_token_type"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_audience?: Schemas["XaaAuthWrite"]["target_audience"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_client_id?: Schemas["XaaAuthWrite"]["target_client_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_resource?: Schemas["XaaAuthWrite"]["target_resource"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_token_url?: Schemas["XaaAuthWrite"]["target_token_url"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  idp_client_secret?: Schemas["XaaAuthWrite"]["idp_client_secret"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  target_client_secret?: Schemas["XaaAuthWrite"]["target_client_secret"];
}

/** How the gateway authenticates to the upstream */
export class ConnectorAuthWriteDto {
  @rules.IsIn(["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"])
  type!: Schemas["ConnectorAuthWrite"]["type"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BearerTokenAuthWriteDto)
  bearer_token?: Schemas["ConnectorAuthWrite"]["bearer_token"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => HeaderInjectionAuthWriteDto)
  header_injection?: Schemas["ConnectorAuthWrite"]["header_injection"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UpstreamInjectAuthWriteDto)
  upstream_inject?: Schemas["ConnectorAuthWrite"]["upstream_inject"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TokenExchangeAuthWriteDto)
  token_exchange?: Schemas["ConnectorAuthWrite"]["token_exchange"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AwsStsAuthWriteDto)
  aws_sts?: Schemas["ConnectorAuthWrite"]["aws_sts"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OboAuthWriteDto)
  obo?: Schemas["ConnectorAuthWrite"]["obo"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => XaaAuthWriteDto)
  xaa?: Schemas["ConnectorAuthWrite"]["xaa"];
}

/** The controls of the content of one connector */
export class ConnectorContentControlsDto {
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(64)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(1000, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  redaction_patterns?: Schemas["ConnectorContentControls"]["redaction_patterns"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["off","warn","quarantine"])
  tool_pinning?: Schemas["ConnectorContentControls"]["tool_pinning"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(255, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  elicitation_hosts?: Schemas["ConnectorContentControls"]["elicitation_hosts"];
}

/** The limits of a gateway; null is unlimited */
export class GatewayLimitsDto {
  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000)
  calls_per_minute_per_person!: Schemas["GatewayLimits"]["calls_per_minute_per_person"];

  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000)
  calls_per_minute_per_tool!: Schemas["GatewayLimits"]["calls_per_minute_per_tool"];

  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(100000)
  concurrent_calls_per_connector!: Schemas["GatewayLimits"]["concurrent_calls_per_connector"];

  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(100000)
  sessions_per_person!: Schemas["GatewayLimits"]["sessions_per_person"];

  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1073741824)
  max_argument_bytes!: Schemas["GatewayLimits"]["max_argument_bytes"];

  @UnlessOneOf(null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1073741824)
  max_result_bytes!: Schemas["GatewayLimits"]["max_result_bytes"];
}

/** The controls of the content of tool calls */
export class GatewayContentControlsDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(64)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(1000, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  redaction_patterns!: Schemas["GatewayContentControls"]["redaction_patterns"];

  @rules.IsIn(["off","warn","quarantine"])
  tool_pinning!: Schemas["GatewayContentControls"]["tool_pinning"];

  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(255, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  elicitation_hosts!: Schemas["GatewayContentControls"]["elicitation_hosts"];
}

/** The limits of one connector. A present limit replaces that of the gateway, and its calls count separately; null is unlimited */
export class ConnectorLimitsDto {
  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000)
  calls_per_minute_per_person?: Schemas["ConnectorLimits"]["calls_per_minute_per_person"];

  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000)
  calls_per_minute_per_tool?: Schemas["ConnectorLimits"]["calls_per_minute_per_tool"];

  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(100000)
  concurrent_calls_per_connector?: Schemas["ConnectorLimits"]["concurrent_calls_per_connector"];

  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(100000)
  sessions_per_person?: Schemas["ConnectorLimits"]["sessions_per_person"];

  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1073741824)
  max_argument_bytes?: Schemas["ConnectorLimits"]["max_argument_bytes"];

  @UnlessOneOf(undefined, null)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1073741824)
  max_result_bytes?: Schemas["ConnectorLimits"]["max_result_bytes"];
}

/** Settings that replace those of the gateway for one connector; redaction patterns are added to them. An absent setting is the gateway’s */
export class ConnectorSettingsDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorLimitsDto)
  limits?: Schemas["ConnectorSettings"]["limits"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorContentControlsDto)
  content?: Schemas["ConnectorSettings"]["content"];
}

/** The settings of a connector gateway */
export class ConnectorGatewaySettingsDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewayLimitsDto)
  limits!: Schemas["ConnectorGatewaySettings"]["limits"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewayContentControlsDto)
  content!: Schemas["ConnectorGatewaySettings"]["content"];

  @EveryValue((value) => isValid(ConnectorSettingsDto, value))
  connectors!: Schemas["ConnectorGatewaySettings"]["connectors"];
}

/** Registration of a client (RFC 7591) */
export class DynamicRegistrationConfigDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  discovery_url?: Schemas["DynamicRegistrationConfig"]["discovery_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  registration_endpoint?: Schemas["DynamicRegistrationConfig"]["registration_endpoint"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  initial_access_token?: Schemas["DynamicRegistrationConfig"]["initial_access_token"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  software_id?: Schemas["DynamicRegistrationConfig"]["software_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(16384)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  software_statement?: Schemas["DynamicRegistrationConfig"]["software_statement"];
}

/** OpenID Connect */
export class OidcConfigDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer_url!: Schemas["OidcConfig"]["issuer_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["OidcConfig"]["client_id"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["OidcConfig"]["client_secret"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", 'u'), { each: true })
  scopes?: Schemas["OidcConfig"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  redirect_uri?: Schemas["OidcConfig"]["redirect_uri"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["client_secret_basic","client_secret_post"])
  token_endpoint_auth_method?: Schemas["OidcConfig"]["token_endpoint_auth_method"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DynamicRegistrationConfigDto)
  dcr?: Schemas["OidcConfig"]["dcr"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  send_resource?: Schemas["OidcConfig"]["send_resource"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_claim?: Schemas["OidcConfig"]["subject_claim"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  additional_authorization_params?: Schemas["OidcConfig"]["additional_authorization_params"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["OidcConfig"]["allow_private_ips"];
}

/** OAuth 2 with configured endpoints */
export class Oauth2ConfigDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authorization_endpoint!: Schemas["Oauth2Config"]["authorization_endpoint"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_endpoint!: Schemas["Oauth2Config"]["token_endpoint"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["Oauth2Config"]["client_id"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["Oauth2Config"]["client_secret"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", 'u'), { each: true })
  scopes?: Schemas["Oauth2Config"]["scopes"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  redirect_uri?: Schemas["Oauth2Config"]["redirect_uri"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["client_secret_basic","client_secret_post"])
  token_endpoint_auth_method?: Schemas["Oauth2Config"]["token_endpoint_auth_method"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DynamicRegistrationConfigDto)
  dcr?: Schemas["Oauth2Config"]["dcr"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  send_resource?: Schemas["Oauth2Config"]["send_resource"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["Oauth2Config"]["allow_private_ips"];
}

/** The outcome of the last check of an identity provider */
export class ProviderDiscoveryDto {
  @rules.IsIn(["ok","none","unreachable","contradicts"])
  status!: Schemas["ProviderDiscovery"]["status"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  checked_at!: Schemas["ProviderDiscovery"]["checked_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ProviderDiscovery"]["error"];
}

/** An identity provider at which users sign in for connectors */
export class ConnectorIdentityProviderDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ConnectorIdentityProvider"]["id"];

  @rules.IsString()
  name!: Schemas["ConnectorIdentityProvider"]["name"];

  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["ConnectorIdentityProvider"]["provider_type"];

  @rules.IsIn(["static","dcr"])
  registration_mode!: Schemas["ConnectorIdentityProvider"]["registration_mode"];

  @rules.IsIn(["api","config"])
  source!: Schemas["ConnectorIdentityProvider"]["source"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OidcConfigDto)
  oidc_config?: Schemas["ConnectorIdentityProvider"]["oidc_config"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => Oauth2ConfigDto)
  oauth2_config?: Schemas["ConnectorIdentityProvider"]["oauth2_config"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ProviderDiscoveryDto)
  discovery!: Schemas["ConnectorIdentityProvider"]["discovery"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ConnectorIdentityProvider"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ConnectorIdentityProvider"]["updated_at"];
}

/** Identity providers in the order of their creation */
export class ConnectorIdentityProviderPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorIdentityProviderDto)
  items!: Schemas["ConnectorIdentityProviderPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectorIdentityProviderPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectorIdentityProviderPage"]["prev_cursor"];
}

/** The complete state of a new or existing identity provider */
export class ConnectorIdentityProviderWriteDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ConnectorIdentityProviderWrite"]["name"];

  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["ConnectorIdentityProviderWrite"]["provider_type"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OidcConfigDto)
  oidc_config?: Schemas["ConnectorIdentityProviderWrite"]["oidc_config"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => Oauth2ConfigDto)
  oauth2_config?: Schemas["ConnectorIdentityProviderWrite"]["oauth2_config"];
}

/** Connectors in the order of their creation */
export class ConnectorPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorDto)
  items!: Schemas["ConnectorPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectorPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectorPage"]["prev_cursor"];
}

/** A group of the directory */
export class GroupRefDto {
  @rules.IsString()
  id!: Schemas["GroupRef"]["id"];

  @rules.IsString()
  name!: Schemas["GroupRef"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["GroupRef"]["display_name"];
}

/** The rules that decide which users may use a connector */
export class ConnectorPolicyDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorPolicy"]["connector_id"];

  @rules.IsIn(["structured","cedar"])
  mode!: Schemas["ConnectorPolicy"]["mode"];

  @rules.IsString()
  document!: Schemas["ConnectorPolicy"]["document"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupRefDto)
  granted_user_groups!: Schemas["ConnectorPolicy"]["granted_user_groups"];
}

/** A connector by id and name */
export class ConnectorRefDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ConnectorRef"]["id"];

  @rules.IsString()
  name!: Schemas["ConnectorRef"]["name"];
}

/** The users whose calls the response counts: all users or one */
export class FiguresOfDto {
  @rules.IsIn(["all_users","user"])
  scope!: Schemas["FiguresOf"]["scope"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["FiguresOf"]["user_id"];
}

/** The number of calls in a bucket */
export class UsagePointDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  bucket_start!: Schemas["UsagePoint"]["bucket_start"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsagePoint"]["tool_call_count"];
}

/** The calls of the users of a group */
export class GroupUsageSeriesDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GroupRefDto)
  group!: Schemas["GroupUsageSeries"]["group"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsagePointDto)
  points!: Schemas["GroupUsageSeries"]["points"];
}

/** The number of calls to a connector, in total and by group */
export class ConnectorUsageDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["ConnectorUsage"]["figures_of"];

  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorUsage"]["connector_id"];

  @rules.IsString()
  connector_name!: Schemas["ConnectorUsage"]["connector_name"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["ConnectorUsage"]["tool_call_count"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["ConnectorUsage"]["bucket_width_seconds"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupUsageSeriesDto)
  group_series!: Schemas["ConnectorUsage"]["group_series"];
}

/** The complete state of a new or existing connector */
export class ConnectorWriteDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ConnectorWrite"]["name"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  endpoint!: Schemas["ConnectorWrite"]["endpoint"];

  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["ConnectorWrite"]["transport"];

  @rules.IsBoolean()
  draft!: Schemas["ConnectorWrite"]["draft"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorAuthWriteDto)
  auth?: Schemas["ConnectorWrite"]["auth"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["ConnectorWrite"]["allow_private_ips"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["ConnectorWrite"]["description"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  icon_url?: Schemas["ConnectorWrite"]["icon_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  repository_url?: Schemas["ConnectorWrite"]["repository_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  support_url?: Schemas["ConnectorWrite"]["support_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  version?: Schemas["ConnectorWrite"]["version"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  source_name?: Schemas["ConnectorWrite"]["source_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  source_namespace?: Schemas["ConnectorWrite"]["source_namespace"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["manual","kubernetes_cluster","custom_registry","gatehouse_registry"])
  origin?: Schemas["ConnectorWrite"]["origin"];
}

/** The spend of one day in the time zone, or of the part of the day that is in the window */
export class SpendBucketDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  date!: Schemas["SpendBucket"]["date"];

  @rules.IsString()
  usd!: Schemas["SpendBucket"]["usd"];
}

/** Every day of the window, also days without spend */
export class DailySpendSeriesDto {
  @rules.IsIn(["day"])
  granularity!: Schemas["DailySpendSeries"]["granularity"];

  @rules.IsString()
  time_zone!: Schemas["DailySpendSeries"]["time_zone"];

  @rules.IsString()
  from!: Schemas["DailySpendSeries"]["from"];

  @rules.IsString()
  to!: Schemas["DailySpendSeries"]["to"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SpendBucketDto)
  buckets!: Schemas["DailySpendSeries"]["buckets"];
}

/** The limit of each user without a budget of their own for the period */
export class DefaultUserBudgetDto {
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["DefaultUserBudget"]["limit_usd"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["DefaultUserBudget"]["period"];
}

/** The number of calls of one value of the dimension */
export class DimensionCountDto {
  @rules.IsString()
  key!: Schemas["DimensionCount"]["key"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["DimensionCount"]["tool_call_count"];
}

/** An MCP server in the cluster */
export class DiscoveredServerDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["DiscoveredServer"]["id"];

  @rules.IsString()
  kind!: Schemas["DiscoveredServer"]["kind"];

  @rules.IsString()
  name!: Schemas["DiscoveredServer"]["name"];

  @rules.IsString()
  namespace!: Schemas["DiscoveredServer"]["namespace"];

  @rules.IsString()
  endpoint!: Schemas["DiscoveredServer"]["endpoint"];

  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["DiscoveredServer"]["transport"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  group?: Schemas["DiscoveredServer"]["group"];

  @rules.IsIn(["ready","degraded","pending","failed","stopped","unknown"])
  health!: Schemas["DiscoveredServer"]["health"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["DiscoveredServer"]["description"];

  @rules.IsBoolean()
  allow_private_ips!: Schemas["DiscoveredServer"]["allow_private_ips"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorRefDto)
  existing_connectors!: Schemas["DiscoveredServer"]["existing_connectors"];
}

/** The admission of a discovered server */
export class DiscoveredServerAdmissionDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: Schemas["DiscoveredServerAdmission"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  draft?: Schemas["DiscoveredServerAdmission"]["draft"];
}

/** MCP servers in the cluster, ordered by namespace and name */
export class DiscoveredServersDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => DiscoveredServerDto)
  servers!: Schemas["DiscoveredServers"]["servers"];
}

/** The user’s settings of a connector */
export class EntitledConnectionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["EntitledConnection"]["connector_id"];

  @rules.IsBoolean()
  enabled!: Schemas["EntitledConnection"]["enabled"];

  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["EntitledConnection"]["tools_enabled_by_default"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  tools_exception_list!: Schemas["EntitledConnection"]["tools_exception_list"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["EntitledConnection"]["updated_at"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  version!: Schemas["EntitledConnection"]["version"];
}

/** Users whose entitlements have changed */
export class EntitlementChangesDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["EntitlementChanges"]["version"];

  @rules.IsBoolean()
  reset!: Schemas["EntitlementChanges"]["reset"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedUserDto)
  users!: Schemas["EntitlementChanges"]["users"];

  @rules.IsBoolean()
  all!: Schemas["EntitlementChanges"]["all"];
}

/** The groups and connections of a user at a gateway */
export class EntitlementsDto {
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["Entitlements"]["user_id"];

  @rules.IsString()
  issuer!: Schemas["Entitlements"]["issuer"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  subject?: Schemas["Entitlements"]["subject"];

  @rules.IsBoolean()
  active!: Schemas["Entitlements"]["active"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["Entitlements"]["groups"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => EntitledConnectionDto)
  connections!: Schemas["Entitlements"]["connections"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ClearedConnectionDto)
  cleared_connections!: Schemas["Entitlements"]["cleared_connections"];

  @rules.IsString()
  version!: Schemas["Entitlements"]["version"];
}

/** A JSON object that administrators attach to a user or group */
export class EntityMetadataDto {
  @rules.IsString()
  @rules.IsUUID('all')
  entity_id!: Schemas["EntityMetadata"]["entity_id"];

  @rules.IsIn(["user","group"])
  entity_kind!: Schemas["EntityMetadata"]["entity_kind"];

  @rules.IsObject()
  metadata!: Schemas["EntityMetadata"]["metadata"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["EntityMetadata"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["EntityMetadata"]["updated_at"];
}

/** An allowed or denied call of a tool */
export class ToolCallDto {
  @rules.IsString()
  @rules.IsUUID('all')
  call_id!: Schemas["ToolCall"]["call_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  occurred_at!: Schemas["ToolCall"]["occurred_at"];

  @rules.IsString()
  gateway_id!: Schemas["ToolCall"]["gateway_id"];

  @rules.IsString()
  environment!: Schemas["ToolCall"]["environment"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id?: Schemas["ToolCall"]["connector_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  connector_name?: Schemas["ToolCall"]["connector_name"];

  @rules.IsString()
  tool_name!: Schemas["ToolCall"]["tool_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["ToolCall"]["user_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  user_email?: Schemas["ToolCall"]["user_email"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupRefDto)
  groups!: Schemas["ToolCall"]["groups"];

  @rules.IsIn(["allowed","denied","unspecified"])
  decision!: Schemas["ToolCall"]["decision"];

  @rules.IsIn(["ok","error","unspecified"])
  outcome!: Schemas["ToolCall"]["outcome"];

  @rules.IsIn(["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"])
  category!: Schemas["ToolCall"]["category"];

  @rules.IsBoolean()
  billable!: Schemas["ToolCall"]["billable"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  billable_reason?: Schemas["ToolCall"]["billable_reason"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  definition_version?: Schemas["ToolCall"]["definition_version"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  duration_ms?: Schemas["ToolCall"]["duration_ms"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  arguments_sha256?: Schemas["ToolCall"]["arguments_sha256"];
}

/** A record with its position in a hash chain */
export class ExportedToolCallDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ExportedToolCall"]["id"];

  @rules.IsString()
  chain_id!: Schemas["ExportedToolCall"]["chain_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["ExportedToolCall"]["sequence"];

  @rules.IsString()
  prev_hash!: Schemas["ExportedToolCall"]["prev_hash"];

  @rules.IsString()
  record_hash!: Schemas["ExportedToolCall"]["record_hash"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ToolCallDto)
  usage!: Schemas["ExportedToolCall"]["usage"];
}

/** An extended reservation and its new end */
export class ExtendedReservationDto {
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id!: Schemas["ExtendedReservation"]["reservation_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at!: Schemas["ExtendedReservation"]["expires_at"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
}

/** Rates of an OpenAI model, in US dollars per million tokens */
export class OpenaiRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["OpenaiRates"]["inputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["OpenaiRates"]["cachedInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheWriteInputUsdPerMillion?: Schemas["OpenaiRates"]["cacheWriteInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["OpenaiRates"]["audioInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["OpenaiRates"]["outputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  reasoningOutputUsdPerMillion?: Schemas["OpenaiRates"]["reasoningOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["OpenaiRates"]["audioOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["OpenaiRates"]["promptSizeTiers"];
}

/** Rates of a Google model, in US dollars per million tokens */
export class GoogleRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["GoogleRates"]["inputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["GoogleRates"]["cachedInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["GoogleRates"]["audioInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedAudioInputUsdPerMillion?: Schemas["GoogleRates"]["cachedAudioInputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["GoogleRates"]["outputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  thoughtsOutputUsdPerMillion?: Schemas["GoogleRates"]["thoughtsOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["GoogleRates"]["audioOutputUsdPerMillion"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["GoogleRates"]["promptSizeTiers"];
}

/** The price of a model: exactly one of the three rate blocks */
export class PricingEntryDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(200)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["PricingEntry"]["provider"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(300)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["PricingEntry"]["model"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicRatesDto)
  anthropic?: Schemas["PricingEntry"]["anthropic"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiRatesDto)
  openai?: Schemas["PricingEntry"]["openai"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleRatesDto)
  google?: Schemas["PricingEntry"]["google"];
}

export class OpenaiToolRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  webSearchUsdPerThousand?: Schemas["OpenaiToolRates"]["webSearchUsdPerThousand"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  fileSearchUsdPerThousand?: Schemas["OpenaiToolRates"]["fileSearchUsdPerThousand"];
}

export class GoogleToolRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  groundingSearchUsdPerThousand?: Schemas["GoogleToolRates"]["groundingSearchUsdPerThousand"];
}

/** Prices of the tools that vendors run, by vendor, in US dollars per thousand calls. A tool without a price is free */
export class PricingToolRatesDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicToolRatesDto)
  anthropic?: Schemas["PricingToolRates"]["anthropic"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiToolRatesDto)
  openai?: Schemas["PricingToolRates"]["openai"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleToolRatesDto)
  google?: Schemas["PricingToolRates"]["google"];
}

/** The prices of models and of tools */
export class PricingSpecDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PricingEntryDto)
  entries!: Schemas["PricingSpec"]["entries"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingToolRatesDto)
  tools?: Schemas["PricingSpec"]["tools"];
}

/** The prices of a version of the pricing catalog. They never change */
export class GatewayPriceListDto {
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id!: Schemas["GatewayPriceList"]["pricing_catalog_id"];

  @EveryValue((value) => typeof value === "string")
  provider_aliases!: Schemas["GatewayPriceList"]["provider_aliases"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["GatewayPriceList"]["spec"];
}

export class SnapshotConnectorAuthHeaderInjectionDto {
  @rules.IsString()
  header_name!: NonNullable<NonNullable<Schemas["SnapshotConnector"]["auth"]>["header_injection"]>["header_name"];
}

/** A managed secret for the gateway to reveal; each new value is a new version */
export class SecretVersionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SecretVersion"]["id"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["SecretVersion"]["version"];
}

/** The type and its settings, as in `ConnectorAuth`, without secret values */
export class SnapshotConnectorAuthDto {
  @rules.IsString()
  type!: NonNullable<Schemas["SnapshotConnector"]["auth"]>["type"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotConnectorAuthHeaderInjectionDto)
  header_injection?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["header_injection"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(SecretVersionDto, value))
  secrets?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["secrets"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(KubernetesSecretRefDto, value))
  kubernetes_secrets?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["kubernetes_secrets"];
}

export class SnapshotIdentityProviderSecretsDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: NonNullable<NonNullable<Schemas["SnapshotIdentityProvider"]["secrets"]>[string]>["id"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: NonNullable<NonNullable<Schemas["SnapshotIdentityProvider"]["secrets"]>[string]>["version"];
}

/** An identity provider of connectors; contains no secret values */
export class SnapshotIdentityProviderDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SnapshotIdentityProvider"]["id"];

  @rules.IsString()
  name!: Schemas["SnapshotIdentityProvider"]["name"];

  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["SnapshotIdentityProvider"]["provider_type"];

  @rules.IsIn(["static","dcr"])
  registration_mode!: Schemas["SnapshotIdentityProvider"]["registration_mode"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  oidc_config?: Schemas["SnapshotIdentityProvider"]["oidc_config"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  oauth2_config?: Schemas["SnapshotIdentityProvider"]["oauth2_config"];

  @EveryValue((value) => isValid(SnapshotIdentityProviderSecretsDto, value))
  secrets!: Schemas["SnapshotIdentityProvider"]["secrets"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(KubernetesSecretRefDto, value))
  kubernetes_secrets?: Schemas["SnapshotIdentityProvider"]["kubernetes_secrets"];
}

/** An available connector */
export class SnapshotConnectorDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SnapshotConnector"]["id"];

  @rules.IsString()
  slug!: Schemas["SnapshotConnector"]["slug"];

  @rules.IsString()
  name!: Schemas["SnapshotConnector"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["SnapshotConnector"]["description"];

  @rules.IsString()
  endpoint!: Schemas["SnapshotConnector"]["endpoint"];

  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["SnapshotConnector"]["transport"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotConnectorAuthDto)
  auth!: Schemas["SnapshotConnector"]["auth"];

  @rules.IsBoolean()
  allow_private_ips!: Schemas["SnapshotConnector"]["allow_private_ips"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotIdentityProviderDto)
  identity_provider?: Schemas["SnapshotConnector"]["identity_provider"];
}

/** The policy that decides which users may use a connector */
export class SnapshotPolicyDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["SnapshotPolicy"]["connector_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["SnapshotPolicy"]["version"];

  @rules.IsString()
  document!: Schemas["SnapshotPolicy"]["document"];
}

/** The limits of requests of a gateway */
export class GatewaySnapshotLimitsDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  batch_calls!: NonNullable<Schemas["GatewaySnapshot"]["limits"]>["batch_calls"];
}

/** Connectors and policies of a gateway */
export class GatewaySnapshotDto {
  @rules.IsString()
  gateway_id!: Schemas["GatewaySnapshot"]["gateway_id"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SnapshotConnectorDto)
  connectors!: Schemas["GatewaySnapshot"]["connectors"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SnapshotPolicyDto)
  policies!: Schemas["GatewaySnapshot"]["policies"];

  @EveryValue((value) => ["String","Long","Bool","Set<String>"].includes(value as never))
  claim_mapping!: Schemas["GatewaySnapshot"]["claim_mapping"];

  @EveryValue((value) => typeof value === "string")
  binding_claims!: Schemas["GatewaySnapshot"]["binding_claims"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewaySnapshotLimitsDto)
  limits!: Schemas["GatewaySnapshot"]["limits"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorGatewaySettingsDto)
  settings!: Schemas["GatewaySnapshot"]["settings"];
}

/** A direct member: a user or a group */
export class GroupMemberDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["GroupMember"]["id"];

  @rules.IsString()
  display!: Schemas["GroupMember"]["display"];

  @rules.IsIn(["User","Group"])
  type!: Schemas["GroupMember"]["type"];
}

/** A group of users and of other groups */
export class GroupDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Group"]["id"];

  @rules.IsString()
  name!: Schemas["Group"]["name"];

  @rules.IsString()
  display_name!: Schemas["Group"]["display_name"];

  @rules.IsString()
  description!: Schemas["Group"]["description"];

  @rules.IsIn(["local","scim"])
  source!: Schemas["Group"]["source"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  transitive_member_count!: Schemas["Group"]["transitive_member_count"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupMemberDto)
  members?: Schemas["Group"]["members"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Group"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Group"]["updated_at"];
}

/** The limit of a group for one period, and the precedence of the group */
export class GroupBudgetWriteDto {
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["GroupBudgetWrite"]["limit_usd"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["GroupBudgetWrite"]["period"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(2147483647)
  precedence?: Schemas["GroupBudgetWrite"]["precedence"];
}

/** A new group */
export class GroupCreateDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  display_name!: Schemas["GroupCreate"]["display_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["GroupCreate"]["description"];
}

/** A user of the directory */
export class UserDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["User"]["id"];

  @rules.IsString()
  user_name!: Schemas["User"]["user_name"];

  @rules.IsString()
  display_name!: Schemas["User"]["display_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["User"]["email"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["User"]["subject_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  photo_url?: Schemas["User"]["photo_url"];

  @rules.IsIn(["config","scim","sign_in"])
  source!: Schemas["User"]["source"];

  @rules.IsBoolean()
  active!: Schemas["User"]["active"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["User"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["User"]["updated_at"];
}

/** The direct subgroups of a group, and its direct and indirect users */
export class GroupMembersDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  direct_child_groups!: Schemas["GroupMembers"]["direct_child_groups"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserDto)
  transitive_users!: Schemas["GroupMembers"]["transitive_users"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_groups_cursor?: Schemas["GroupMembers"]["next_groups_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_groups_cursor?: Schemas["GroupMembers"]["prev_groups_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_users_cursor?: Schemas["GroupMembers"]["next_users_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_users_cursor?: Schemas["GroupMembers"]["prev_users_cursor"];
}

/** Groups in the order of their creation */
export class GroupPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  items!: Schemas["GroupPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["GroupPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["GroupPage"]["prev_cursor"];
}

/** The fields to change; absent fields keep their values */
export class GroupPatchDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  display_name?: Schemas["GroupPatch"]["display_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["GroupPatch"]["description"];
}

/** A signed statement of a position in a chain */
export class IntegrityCheckpointDto {
  @rules.IsString()
  chain_id!: Schemas["IntegrityCheckpoint"]["chain_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["IntegrityCheckpoint"]["sequence"];

  @rules.IsString()
  chain_hash!: Schemas["IntegrityCheckpoint"]["chain_hash"];

  @rules.IsString()
  hash_alg!: Schemas["IntegrityCheckpoint"]["hash_alg"];

  @rules.IsString()
  sig_alg!: Schemas["IntegrityCheckpoint"]["sig_alg"];

  @rules.IsString()
  key_id!: Schemas["IntegrityCheckpoint"]["key_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["IntegrityCheckpoint"]["signed_at"];

  @rules.IsString()
  signature!: Schemas["IntegrityCheckpoint"]["signature"];
}

/** JSON Web Key Set (RFC 7517) */
export class JWKSDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  keys!: Schemas["JWKS"]["keys"];
}

/** Keys that have changed */
export class KeyChangesDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["KeyChanges"]["version"];

  @rules.IsBoolean()
  reset!: Schemas["KeyChanges"]["reset"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedKeyDto)
  keys!: Schemas["KeyChanges"]["keys"];

  @rules.IsBoolean()
  groups_changed!: Schemas["KeyChanges"]["groups_changed"];
}

/** A new key, which always belongs to the caller */
export class KeyCreateDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(255)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: Schemas["KeyCreate"]["name"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  metadata?: Schemas["KeyCreate"]["metadata"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(315360000)
  ttl_seconds?: Schemas["KeyCreate"]["ttl_seconds"];
}

export class KeyEncryptionVersionDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["KeyEncryptionVersion"]["version"];

  @rules.IsIn(["current","opens","missing","refused"])
  state!: Schemas["KeyEncryptionVersion"]["state"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  values!: Schemas["KeyEncryptionVersion"]["values"];
}

/** The versions of the key-encryption key, without the keys */
export class KeyEncryptionStatusDto {
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  current_version?: Schemas["KeyEncryptionStatus"]["current_version"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => KeyEncryptionVersionDto)
  versions!: Schemas["KeyEncryptionStatus"]["versions"];

  @rules.IsBoolean()
  rewrapping!: Schemas["KeyEncryptionStatus"]["rewrapping"];
}

/** A virtual API key */
export class VirtualKeyDto {
  @rules.IsString()
  id!: Schemas["VirtualKey"]["id"];

  @rules.IsString()
  name!: Schemas["VirtualKey"]["name"];

  @rules.IsString()
  prefix!: Schemas["VirtualKey"]["prefix"];

  @rules.IsIn(["active","disabled","revoked"])
  status!: Schemas["VirtualKey"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsIn(["owner","administrator","deactivation"], { each: true })
  disabled_by?: Schemas["VirtualKey"]["disabled_by"];

  @rules.IsString()
  owner_ref!: Schemas["VirtualKey"]["owner_ref"];

  @rules.IsString()
  created_by!: Schemas["VirtualKey"]["created_by"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["VirtualKey"]["created_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["VirtualKey"]["expires_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["VirtualKey"]["last_used_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["VirtualKey"]["previous_secret_valid_until"];

  @EveryValue((value) => typeof value === "string")
  metadata!: Schemas["VirtualKey"]["metadata"];
}

/** The keys that are not revoked, newest first, and then the newest revoked keys */
export class KeyListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => VirtualKeyDto)
  keys!: Schemas["KeyList"]["keys"];
}

/** The key that a client presented */
export class KeyResolveDto {
  @rules.IsString()
  @rules.Matches(new RegExp("^[0-9a-f]{64}$", 'u'))
  secret_sha256!: Schemas["KeyResolve"]["secret_sha256"];
}

/** A key with its new secret */
export class KeyWithSecretDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => VirtualKeyDto)
  key!: Schemas["KeyWithSecret"]["key"];

  @rules.IsString()
  secret!: Schemas["KeyWithSecret"]["secret"];
}

/** The payer from whose budget the lease takes; absent when no budget applies and spending is unlimited */
export class LeaseAnswerPayerDto {
  @rules.IsIn(["user","group"])
  scope!: NonNullable<Schemas["LeaseAnswer"]["payer"]>["scope"];

  @rules.IsString()
  subject_id!: NonNullable<Schemas["LeaseAnswer"]["payer"]>["subject_id"];
}

/** A granted lease, or the reason of a denial */
export class LeaseAnswerDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  lease_id?: Schemas["LeaseAnswer"]["lease_id"];

  @rules.IsString()
  granted_usd!: Schemas["LeaseAnswer"]["granted_usd"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason?: Schemas["LeaseAnswer"]["reason"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => LeaseAnswerPayerDto)
  payer?: Schemas["LeaseAnswer"]["payer"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["LeaseAnswer"]["expires_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["LeaseAnswer"]["pricing_catalog_id"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  key_version?: Schemas["LeaseAnswer"]["key_version"];
}

/** A part of a budget that a gateway wants, to admit requests by itself */
export class LeaseRequestDto {
  @rules.IsString()
  @rules.Matches(new RegExp("^.{14}7.{4}[89ab]", 'u'))
  lease_id!: Schemas["LeaseRequest"]["lease_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["LeaseRequest"]["gateway_id"];

  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["LeaseRequest"]["principal"];

  @rules.IsString()
  amount_usd!: Schemas["LeaseRequest"]["amount_usd"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(3600)
  ttl_seconds!: Schemas["LeaseRequest"]["ttl_seconds"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(100)
  share_percent?: Schemas["LeaseRequest"]["share_percent"];
}

/** The unused amount of a lease */
export class LeaseReturnDto {
  @rules.IsString()
  unused_usd!: Schemas["LeaseReturn"]["unused_usd"];
}

/** A secret that connectors and identity providers refer to, without its value */
export class ManagedSecretDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ManagedSecret"]["id"];

  @rules.IsString()
  name!: Schemas["ManagedSecret"]["name"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["ManagedSecret"]["version"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ManagedSecret"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ManagedSecret"]["updated_at"];
}

/** A new secret */
export class ManagedSecretCreateDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ManagedSecretCreate"]["name"];

  @rules.IsString()
  @rules.MinLength(1)
  value!: Schemas["ManagedSecretCreate"]["value"];
}

/** Managed secrets in the order of their creation */
export class ManagedSecretPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ManagedSecretDto)
  items!: Schemas["ManagedSecretPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ManagedSecretPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ManagedSecretPage"]["prev_cursor"];
}

/** The new value of a secret */
export class ManagedSecretUpdateDto {
  @rules.IsString()
  @rules.MinLength(1)
  value!: Schemas["ManagedSecretUpdate"]["value"];
}

/** The usage of a budget of the caller or of a group of the caller in one window; for groups only sums */
export class OwnBudgetCellDto {
  @rules.IsIn(["user","group"])
  scope!: Schemas["OwnBudgetCell"]["scope"];

  @rules.IsString()
  subject_id!: Schemas["OwnBudgetCell"]["subject_id"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["OwnBudgetCell"]["period"];

  @rules.IsString()
  limit_usd!: Schemas["OwnBudgetCell"]["limit_usd"];

  @rules.IsString()
  used_usd!: Schemas["OwnBudgetCell"]["used_usd"];

  @rules.IsString()
  remaining_usd!: Schemas["OwnBudgetCell"]["remaining_usd"];

  @rules.IsString()
  reserved_usd!: Schemas["OwnBudgetCell"]["reserved_usd"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["OwnBudgetCell"]["period_start"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["OwnBudgetCell"]["period_end"];

  @rules.IsBoolean()
  on_default!: Schemas["OwnBudgetCell"]["on_default"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  ordinal!: Schemas["OwnBudgetCell"]["ordinal"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  my_contribution_usd?: Schemas["OwnBudgetCell"]["my_contribution_usd"];
}

/** The caller’s own budget of one period, or the default user budget if it applies to the caller */
export class PersonalBudgetCardDto {
  @rules.IsString()
  limit_usd!: Schemas["PersonalBudgetCard"]["limit_usd"];

  @rules.IsString()
  used_usd!: Schemas["PersonalBudgetCard"]["used_usd"];

  @rules.IsString()
  remaining_usd!: Schemas["PersonalBudgetCard"]["remaining_usd"];

  @rules.IsString()
  reserved_usd!: Schemas["PersonalBudgetCard"]["reserved_usd"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["PersonalBudgetCard"]["period_start"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["PersonalBudgetCard"]["period_end"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  budgets!: Schemas["PersonalBudgetCard"]["budgets"];
}

/** The budgets of the caller and of the caller’s groups */
export class OwnBudgetsSummaryDto {
  @rules.IsString()
  subject!: Schemas["OwnBudgetsSummary"]["subject"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => OwnBudgetCellDto)
  budgets!: Schemas["OwnBudgetsSummary"]["budgets"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PersonalBudgetCardDto)
  day?: Schemas["OwnBudgetsSummary"]["day"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PersonalBudgetCardDto)
  month?: Schemas["OwnBudgetsSummary"]["month"];
}

/** The caller’s own directory entry */
export class OwnProfileDto {
  @rules.IsString()
  issuer!: Schemas["OwnProfile"]["issuer"];

  @rules.IsString()
  subject!: Schemas["OwnProfile"]["subject"];

  @rules.IsArray()
  @rules.IsIn(["admin","auditor","gateway","user"], { each: true })
  roles!: Schemas["OwnProfile"]["roles"];

  @rules.IsBoolean()
  active!: Schemas["OwnProfile"]["active"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  groups!: Schemas["OwnProfile"]["groups"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  id?: Schemas["OwnProfile"]["id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  user_name?: Schemas["OwnProfile"]["user_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["OwnProfile"]["display_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["OwnProfile"]["email"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["config","scim","sign_in"])
  source?: Schemas["OwnProfile"]["source"];
}

/** The claims of the owner, as the directory has them */
export class OwnerClaimsDto {
  @rules.IsString()
  iss!: Schemas["OwnerClaims"]["iss"];

  @rules.IsString()
  sub!: Schemas["OwnerClaims"]["sub"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["OwnerClaims"]["email"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["OwnerClaims"]["groups"];
}

/** Users whose activity has changed */
export class PeopleChangesDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["PeopleChanges"]["version"];

  @rules.IsBoolean()
  reset!: Schemas["PeopleChanges"]["reset"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedPersonDto)
  people!: Schemas["PeopleChanges"]["people"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedBindingDto)
  bindings!: Schemas["PeopleChanges"]["bindings"];

  @rules.IsBoolean()
  all!: Schemas["PeopleChanges"]["all"];
}

/** An empty object */
export class PingDto {

}

/** Replaces the Cedar document */
export class PolicyDocumentWriteDto {
  @rules.IsString()
  document!: Schemas["PolicyDocumentWrite"]["document"];
}

/** Replaces the granted groups */
export class PolicyGroupsWriteDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids!: Schemas["PolicyGroupsWrite"]["group_ids"];
}

/** The schema that policies are validated against */
export class PolicySchemaDto {
  @rules.IsString()
  schema!: Schemas["PolicySchema"]["schema"];

  @EveryValue((value) => ["String","Long","Bool","Set<String>"].includes(value as never))
  claims!: Schemas["PolicySchema"]["claims"];
}

/** A request to simulate */
export class PolicySimulationDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["PolicySimulation"]["user_id"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids?: Schemas["PolicySimulation"]["group_ids"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  claims?: Schemas["PolicySimulation"]["claims"];

  @rules.IsIn(["connect","list_tools","call_tool","get_prompt","read_resource"])
  action!: Schemas["PolicySimulation"]["action"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(8192)
  resource?: Schemas["PolicySimulation"]["resource"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  document?: Schemas["PolicySimulation"]["document"];
}

/** The outcome of a policy simulation */
export class PolicyVerdictDto {
  @rules.IsIn(["allow","deny"])
  decision!: Schemas["PolicyVerdict"]["decision"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  policies!: Schemas["PolicyVerdict"]["policies"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  errors!: Schemas["PolicyVerdict"]["errors"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids!: Schemas["PolicyVerdict"]["group_ids"];
}

/** The service and its database are available */
export class PongDto {
  @rules.IsIn(["ok"])
  status!: Schemas["Pong"]["status"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  time!: Schemas["Pong"]["time"];
}

/** The prices in effect */
export class PricingCatalogDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingCatalog"]["effective_from"];

  @EveryValue((value) => typeof value === "string")
  provider_aliases!: Schemas["PricingCatalog"]["provider_aliases"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalog"]["spec"];
}

/** A version of the pricing catalog with its prices */
export class PricingCatalogVersionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["PricingCatalogVersion"]["id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingCatalogVersion"]["effective_from"];

  @rules.IsIn(["baseline","operator"])
  source!: Schemas["PricingCatalogVersion"]["source"];

  @rules.IsIn(["staged","in_effect","superseded","withdrawn"])
  state!: Schemas["PricingCatalogVersion"]["state"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["PricingCatalogVersion"]["created_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  created_by?: Schemas["PricingCatalogVersion"]["created_by"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  entry_count!: Schemas["PricingCatalogVersion"]["entry_count"];

  @EveryValue((value) => typeof value === "string")
  provider_aliases!: Schemas["PricingCatalogVersion"]["provider_aliases"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalogVersion"]["spec"];
}

/** A catalog that replaces all prices */
export class PricingCatalogWriteDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from?: Schemas["PricingCatalogWrite"]["effective_from"];

  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  provider_aliases?: Schemas["PricingCatalogWrite"]["provider_aliases"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalogWrite"]["spec"];
}

/** The price of a model: exactly one of the three rate blocks, with at least an input and an output rate */
export class PricingEntryWriteDto {
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicRatesDto)
  anthropic?: Schemas["PricingEntryWrite"]["anthropic"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiRatesDto)
  openai?: Schemas["PricingEntryWrite"]["openai"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleRatesDto)
  google?: Schemas["PricingEntryWrite"]["google"];
}

/** A version of the pricing catalog. It never changes */
export class PricingVersionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["PricingVersion"]["id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingVersion"]["effective_from"];

  @rules.IsIn(["baseline","operator"])
  source!: Schemas["PricingVersion"]["source"];

  @rules.IsIn(["staged","in_effect","superseded","withdrawn"])
  state!: Schemas["PricingVersion"]["state"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["PricingVersion"]["created_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  created_by?: Schemas["PricingVersion"]["created_by"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  entry_count!: Schemas["PricingVersion"]["entry_count"];
}

/** Versions of the pricing catalog, the newest first */
export class PricingVersionPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PricingVersionDto)
  items!: Schemas["PricingVersionPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["PricingVersionPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["PricingVersionPage"]["prev_cursor"];
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

/** Selects the unpriced events to charge */
export class RechargeRequestDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  from?: Schemas["RechargeRequest"]["from"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  to?: Schemas["RechargeRequest"]["to"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider?: Schemas["RechargeRequest"]["provider"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model?: Schemas["RechargeRequest"]["model"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000)
  limit?: Schemas["RechargeRequest"]["limit"];
}

/** The charged events and the remaining ones */
export class RechargeResultDto {
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  charged_count!: Schemas["RechargeResult"]["charged_count"];

  @rules.IsString()
  charged_usd!: Schemas["RechargeResult"]["charged_usd"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["RechargeResult"]["pricing_catalog_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  priceable_count!: Schemas["RechargeResult"]["priceable_count"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  unpriceable_count!: Schemas["RechargeResult"]["unpriceable_count"];
}

/** The time that a running request still needs */
export class ReservationExtendDto {
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(86400)
  seconds!: Schemas["ReservationExtend"]["seconds"];
}

export class ResolvedKeyOwnerDto {
  @rules.IsString()
  issuer!: NonNullable<Schemas["ResolvedKey"]["owner"]>["issuer"];

  @rules.IsString()
  subject!: NonNullable<Schemas["ResolvedKey"]["owner"]>["subject"];

  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: NonNullable<Schemas["ResolvedKey"]["owner"]>["user_id"];
}

/** A usable key and its owner */
export class ResolvedKeyDto {
  @rules.IsString()
  key_id!: Schemas["ResolvedKey"]["key_id"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ResolvedKeyOwnerDto)
  owner!: Schemas["ResolvedKey"]["owner"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["ResolvedKey"]["groups"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OwnerClaimsDto)
  claims!: Schemas["ResolvedKey"]["claims"];

  @rules.IsIn(["active"])
  status!: Schemas["ResolvedKey"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ResolvedKey"]["expires_at"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["ResolvedKey"]["version"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  cache_seconds!: Schemas["ResolvedKey"]["cache_seconds"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  age_ms!: Schemas["ResolvedKey"]["age_ms"];
}

/** The value of a secret for a gateway that sends it to an upstream */
export class RevealedSecretDto {
  @rules.IsString()
  value!: Schemas["RevealedSecret"]["value"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["RevealedSecret"]["version"];
}

/** Why a SCIM request failed (RFC 7644 §3.12) */
export class ScimFailureDto {
  @rules.IsArray()
  @rules.IsIn(["urn:ietf:params:scim:api:messages:2.0:Error"], { each: true })
  schemas!: Schemas["ScimFailure"]["schemas"];

  @rules.IsString()
  status!: Schemas["ScimFailure"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["invalidFilter","tooMany","uniqueness","mutability","invalidSyntax","invalidPath","noTarget","invalidValue","invalidVers","sensitive"])
  scimType?: Schemas["ScimFailure"]["scimType"];

  @rules.IsString()
  detail!: Schemas["ScimFailure"]["detail"];
}

export class ScimGroupInputMembersDto {
  @rules.IsString()
  value!: NonNullable<NonNullable<Schemas["ScimGroupInput"]["members"]>[number]>["value"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["User","Group"])
  type?: NonNullable<NonNullable<Schemas["ScimGroupInput"]["members"]>[number]>["type"];
}

/** A group (RFC 7643 §4.2). Members that the directory does not have are left out. */
export class ScimGroupInputDto {
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimGroupInput"]["schemas"];

  @rules.IsString()
  displayName!: Schemas["ScimGroupInput"]["displayName"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  externalId?: Schemas["ScimGroupInput"]["externalId"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimGroupInputMembersDto)
  members?: Schemas["ScimGroupInput"]["members"];
}

/** A SCIM resource (RFC 7643 §3) */
export class ScimResourceDto {
  @rules.IsArray()
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimResource"]["schemas"];
}

/** A page of SCIM resources (RFC 7644 §3.4.2) */
export class ScimListDto {
  @rules.IsArray()
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimList"]["schemas"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  totalResults!: Schemas["ScimList"]["totalResults"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  startIndex!: Schemas["ScimList"]["startIndex"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  itemsPerPage!: Schemas["ScimList"]["itemsPerPage"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimResourceDto)
  Resources!: Schemas["ScimList"]["Resources"];
}

export class ScimPatchOperationsDto {
  @rules.IsString()
  op!: NonNullable<NonNullable<Schemas["ScimPatch"]["Operations"]>[number]>["op"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  path?: NonNullable<NonNullable<Schemas["ScimPatch"]["Operations"]>[number]>["path"];
}

/** Changes (RFC 7644 §3.5.2), also in the older forms that large identity providers send */
export class ScimPatchDto {
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimPatch"]["schemas"];

  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimPatchOperationsDto)
  Operations!: Schemas["ScimPatch"]["Operations"];
}

/** A search. `schemas` contains the URN of the SearchRequest message */
export class ScimSearchRequestDto {
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(100000)
  filter?: Schemas["ScimSearchRequest"]["filter"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(100000)
  sortBy?: Schemas["ScimSearchRequest"]["sortBy"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["ascending","descending"])
  sortOrder?: Schemas["ScimSearchRequest"]["sortOrder"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-999999999)
  @rules.Max(999999999)
  startIndex?: Schemas["ScimSearchRequest"]["startIndex"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-999999999)
  @rules.Max(999999999)
  count?: Schemas["ScimSearchRequest"]["count"];

  @UnlessOneOf(undefined)
  @AnyOf((value) => typeof value === "string", (value) => Array.isArray(value))
  attributes?: Schemas["ScimSearchRequest"]["attributes"];

  @UnlessOneOf(undefined)
  @AnyOf((value) => typeof value === "string", (value) => Array.isArray(value))
  excludedAttributes?: Schemas["ScimSearchRequest"]["excludedAttributes"];
}

export class ScimTokenCreatedByDto {
  @rules.IsString()
  issuer!: NonNullable<Schemas["ScimToken"]["created_by"]>["issuer"];

  @rules.IsString()
  subject!: NonNullable<Schemas["ScimToken"]["created_by"]>["subject"];
}

/** A static bearer token for SCIM, for one issuer */
export class ScimTokenDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ScimToken"]["id"];

  @rules.IsString()
  issuer_id!: Schemas["ScimToken"]["issuer_id"];

  @rules.IsString()
  name!: Schemas["ScimToken"]["name"];

  @rules.IsIn(["active","expired","revoked"])
  state!: Schemas["ScimToken"]["state"];

  @rules.IsString()
  scim_url!: Schemas["ScimToken"]["scim_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["ScimToken"]["previous_secret_valid_until"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimToken"]["expires_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  revoked_at?: Schemas["ScimToken"]["revoked_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["ScimToken"]["last_used_at"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ScimTokenCreatedByDto)
  created_by!: Schemas["ScimToken"]["created_by"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ScimToken"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ScimToken"]["updated_at"];
}

/** A new SCIM token */
export class ScimTokenCreateDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(63)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer_id!: Schemas["ScimTokenCreate"]["issuer_id"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ScimTokenCreate"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimTokenCreate"]["expires_at"];
}

/** SCIM tokens in the order of their creation, also revoked ones */
export class ScimTokenPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimTokenDto)
  items!: Schemas["ScimTokenPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ScimTokenPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ScimTokenPage"]["prev_cursor"];
}

export class ScimTokenWithSecretCreatedByDto {
  @rules.IsString()
  issuer!: NonNullable<Schemas["ScimTokenWithSecret"]["created_by"]>["issuer"];

  @rules.IsString()
  subject!: NonNullable<Schemas["ScimTokenWithSecret"]["created_by"]>["subject"];
}

/** A SCIM token and its new secret */
export class ScimTokenWithSecretDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ScimTokenWithSecret"]["id"];

  @rules.IsString()
  issuer_id!: Schemas["ScimTokenWithSecret"]["issuer_id"];

  @rules.IsString()
  name!: Schemas["ScimTokenWithSecret"]["name"];

  @rules.IsIn(["active","expired","revoked"])
  state!: Schemas["ScimTokenWithSecret"]["state"];

  @rules.IsString()
  scim_url!: Schemas["ScimTokenWithSecret"]["scim_url"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["ScimTokenWithSecret"]["previous_secret_valid_until"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimTokenWithSecret"]["expires_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  revoked_at?: Schemas["ScimTokenWithSecret"]["revoked_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["ScimTokenWithSecret"]["last_used_at"];

  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ScimTokenWithSecretCreatedByDto)
  created_by!: Schemas["ScimTokenWithSecret"]["created_by"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ScimTokenWithSecret"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ScimTokenWithSecret"]["updated_at"];

  @rules.IsString()
  secret!: Schemas["ScimTokenWithSecret"]["secret"];
}

/** A user (RFC 7643 §4.1). Unknown attributes are ignored. */
export class ScimUserInputDto {
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimUserInput"]["schemas"];

  @rules.IsString()
  userName!: Schemas["ScimUserInput"]["userName"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  externalId?: Schemas["ScimUserInput"]["externalId"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  displayName?: Schemas["ScimUserInput"]["displayName"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  active?: Schemas["ScimUserInput"]["active"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  name?: Schemas["ScimUserInput"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  emails?: Schemas["ScimUserInput"]["emails"];
}

/** A key that signs configuration envelopes and checkpoints, without its private key */
export class SigningKeyDto {
  @rules.IsString()
  kid!: Schemas["SigningKey"]["kid"];

  @rules.IsIn(["next","current","previous"])
  state!: Schemas["SigningKey"]["state"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["SigningKey"]["created_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  activated_at?: Schemas["SigningKey"]["activated_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  retired_at?: Schemas["SigningKey"]["retired_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  shown_until?: Schemas["SigningKey"]["shown_until"];
}

/** The keys of the key set */
export class SigningKeyListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SigningKeyDto)
  keys!: Schemas["SigningKeyList"]["keys"];
}

/** Tool calls, newest first */
export class ToolCallActivityDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["ToolCallActivity"]["figures_of"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallDto)
  records!: Schemas["ToolCallActivity"]["records"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ToolCallActivity"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ToolCallActivity"]["prev_cursor"];
}

export class ToolCallRecordGroupsDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  id!: NonNullable<NonNullable<Schemas["ToolCallRecord"]["groups"]>[number]>["id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: NonNullable<NonNullable<Schemas["ToolCallRecord"]["groups"]>[number]>["name"];
}

/** A tool call as a gateway reports it */
export class ToolCallRecordDto {
  @rules.IsString()
  @rules.IsUUID('all')
  call_id!: Schemas["ToolCallRecord"]["call_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  occurred_at!: Schemas["ToolCallRecord"]["occurred_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id?: Schemas["ToolCallRecord"]["gateway_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  environment?: Schemas["ToolCallRecord"]["environment"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", 'u'))
  connector_id?: Schemas["ToolCallRecord"]["connector_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  connector_name?: Schemas["ToolCallRecord"]["connector_name"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  tool_name!: Schemas["ToolCallRecord"]["tool_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", 'u'))
  user_id?: Schemas["ToolCallRecord"]["user_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(320)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  user_email?: Schemas["ToolCallRecord"]["user_email"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallRecordGroupsDto)
  groups?: Schemas["ToolCallRecord"]["groups"];

  @rules.IsIn(["allowed","denied","unspecified"])
  decision!: Schemas["ToolCallRecord"]["decision"];

  @rules.IsIn(["ok","error","unspecified"])
  outcome!: Schemas["ToolCallRecord"]["outcome"];

  @rules.IsIn(["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"])
  category!: Schemas["ToolCallRecord"]["category"];

  @rules.IsBoolean()
  billable!: Schemas["ToolCallRecord"]["billable"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  billable_reason?: Schemas["ToolCallRecord"]["billable_reason"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(64)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  definition_version?: Schemas["ToolCallRecord"]["definition_version"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(2147483647)
  duration_ms?: Schemas["ToolCallRecord"]["duration_ms"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{64})?$", 'u'))
  arguments_sha256?: Schemas["ToolCallRecord"]["arguments_sha256"];
}

/** Records of tool calls */
export class ToolCallBatchDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallRecordDto)
  calls!: Schemas["ToolCallBatch"]["calls"];
}

export class ToolCallReceiptDto {
  @rules.IsIn(["stored","duplicate","rejected"])
  status!: Schemas["ToolCallReceipt"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ToolCallReceipt"]["error"];
}

/** One result for each record */
export class ToolCallReceiptsDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallReceiptDto)
  results!: Schemas["ToolCallReceipts"]["results"];
}

/** A connector and the number of its calls */
export class TopConnectorDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["TopConnector"]["connector_id"];

  @rules.IsString()
  connector_name!: Schemas["TopConnector"]["connector_name"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["TopConnector"]["tool_call_count"];
}

/** Connectors, the most called first */
export class TopConnectorsDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["TopConnectors"]["figures_of"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => TopConnectorDto)
  connectors!: Schemas["TopConnectors"]["connectors"];
}

/** A tool and the number of its calls */
export class TopToolDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["TopTool"]["connector_id"];

  @rules.IsString()
  connector_name!: Schemas["TopTool"]["connector_name"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["TopTool"]["tool_call_count"];

  @rules.IsString()
  tool_name!: Schemas["TopTool"]["tool_name"];
}

/** Tools, the most called first */
export class TopToolsDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["TopTools"]["figures_of"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => TopToolDto)
  tools!: Schemas["TopTools"]["tools"];
}

/** The usage of one attempt of a request */
export class UsageReportDto {
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  interaction_id!: Schemas["UsageReport"]["interaction_id"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000000)
  attempt!: Schemas["UsageReport"]["attempt"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["UsageReport"]["reservation_id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  event_time!: Schemas["UsageReport"]["event_time"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["UsageReport"]["gateway_id"];

  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["UsageReport"]["principal"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["UsageReport"]["provider"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  route!: Schemas["UsageReport"]["route"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  requested_model!: Schemas["UsageReport"]["requested_model"];

  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["UsageReport"]["model"];

  @rules.IsIn(["delivered","client_disconnect","upstream_error","blocked_downstream"])
  outcome!: Schemas["UsageReport"]["outcome"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(999)
  upstream_status!: Schemas["UsageReport"]["upstream_status"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(2147483647)
  duration_ms!: Schemas["UsageReport"]["duration_ms"];

  @UnlessOneOf(null)
  @rules.IsObject()
  raw_usage!: Schemas["UsageReport"]["raw_usage"];

  @UnlessOneOf(undefined, null)
  @rules.IsObject()
  estimated_usage?: Schemas["UsageReport"]["estimated_usage"];
}

/** Usage reports of a gateway */
export class UsageBatchDto {
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageReportDto)
  events!: Schemas["UsageBatch"]["events"];
}

/** The number of calls in a bucket; the breakdown adds up to it */
export class UsageBucketDto {
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  bucket_start!: Schemas["UsageBucket"]["bucket_start"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsageBucket"]["tool_call_count"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => DimensionCountDto)
  breakdown!: Schemas["UsageBucket"]["breakdown"];
}

/** One request to a model */
export class UsageEventDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["UsageEvent"]["id"];

  @rules.IsString()
  interaction_id!: Schemas["UsageEvent"]["interaction_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  attempt!: Schemas["UsageEvent"]["attempt"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  event_time!: Schemas["UsageEvent"]["event_time"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  ingest_time!: Schemas["UsageEvent"]["ingest_time"];

  @rules.IsString()
  gateway_id!: Schemas["UsageEvent"]["gateway_id"];

  @rules.IsString()
  auth_issuer!: Schemas["UsageEvent"]["auth_issuer"];

  @rules.IsString()
  auth_subject!: Schemas["UsageEvent"]["auth_subject"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  platform_user_id?: Schemas["UsageEvent"]["platform_user_id"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  platform_groups!: Schemas["UsageEvent"]["platform_groups"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  virtual_key_id?: Schemas["UsageEvent"]["virtual_key_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["UsageEvent"]["reservation_id"];

  @rules.IsString()
  provider!: Schemas["UsageEvent"]["provider"];

  @rules.IsString()
  route!: Schemas["UsageEvent"]["route"];

  @rules.IsString()
  requested_model!: Schemas["UsageEvent"]["requested_model"];

  @rules.IsString()
  model!: Schemas["UsageEvent"]["model"];

  @rules.IsIn(["delivered","blocked_downstream","client_disconnect","upstream_error"])
  outcome!: Schemas["UsageEvent"]["outcome"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  upstream_status!: Schemas["UsageEvent"]["upstream_status"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  duration_ms!: Schemas["UsageEvent"]["duration_ms"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  raw_usage?: Schemas["UsageEvent"]["raw_usage"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  estimated_usage?: Schemas["UsageEvent"]["estimated_usage"];
}

/** Usage events, newest first */
export class UsageEventsPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageEventDto)
  events!: Schemas["UsageEventsPage"]["events"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UsageEventsPage"]["next_cursor"];
}

/** Records in the order of their arrival, in hash chains that a reader can verify */
export class UsageExportDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ExportedToolCallDto)
  records!: Schemas["UsageExport"]["records"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => IntegrityCheckpointDto)
  checkpoints!: Schemas["UsageExport"]["checkpoints"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ChainHeadDto)
  head?: Schemas["UsageExport"]["head"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChainStartDto)
  chain_starts?: Schemas["UsageExport"]["chain_starts"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UsageExport"]["next_cursor"];

  @rules.IsString()
  resume_cursor!: Schemas["UsageExport"]["resume_cursor"];
}

export class UsageReceiptDto {
  @rules.IsIn(["charged","duplicate","conflict","unpriceable","rejected"])
  status!: Schemas["UsageReceipt"]["status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  event_id?: Schemas["UsageReceipt"]["event_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  charged_usd?: Schemas["UsageReceipt"]["charged_usd"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["reported","estimated","none"])
  basis?: Schemas["UsageReceipt"]["basis"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["UsageReceipt"]["error"];
}

/** One result for each report */
export class UsageReceiptsDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageReceiptDto)
  results!: Schemas["UsageReceipts"]["results"];
}

/** The number of calls and of the users that made them */
export class UsageSummaryDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UsageSummary"]["figures_of"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  active_user_count!: Schemas["UsageSummary"]["active_user_count"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsageSummary"]["tool_call_count"];
}

/** Calls over time */
export class UsageTimeSeriesDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UsageTimeSeries"]["figures_of"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["UsageTimeSeries"]["bucket_width_seconds"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["environment","tool","decision","connector"])
  dimension?: Schemas["UsageTimeSeries"]["dimension"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageBucketDto)
  buckets!: Schemas["UsageTimeSeries"]["buckets"];
}

/** The limit of a user for one period */
export class UserBudgetWriteDto {
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["UserBudgetWrite"]["limit_usd"];

  @rules.IsIn(["day","month","year"])
  period!: Schemas["UserBudgetWrite"]["period"];
}

/** The calls of a user to one tool */
export class UserToolUsageDto {
  @rules.IsString()
  tool_name!: Schemas["UserToolUsage"]["tool_name"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserToolUsage"]["tool_call_count"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity!: Schemas["UserToolUsage"]["last_activity"];
}

/** The calls of a user to one connector */
export class UserConnectorUsageDto {
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["UserConnectorUsage"]["connector_id"];

  @rules.IsString()
  connector_name!: Schemas["UserConnectorUsage"]["connector_name"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserConnectorUsage"]["tool_call_count"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity!: Schemas["UserConnectorUsage"]["last_activity"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserToolUsageDto)
  tools!: Schemas["UserConnectorUsage"]["tools"];
}

/** Users in the order of their creation */
export class UserPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserDto)
  items!: Schemas["UserPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UserPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["UserPage"]["prev_cursor"];
}

/** The calls of a user */
export class UserUsageDto {
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UserUsage"]["figures_of"];

  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["UserUsage"]["user_id"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserUsage"]["tool_call_count"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity?: Schemas["UserUsage"]["last_activity"];

  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["UserUsage"]["bucket_width_seconds"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsagePointDto)
  series!: Schemas["UserUsage"]["series"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserConnectorUsageDto)
  connectors!: Schemas["UserUsage"]["connectors"];
}
