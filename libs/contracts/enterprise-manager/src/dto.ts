// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { AnyOf, EveryValue, UnlessOneOf, isValid } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The payer whose budget is charged; absent when no budget applies and spending is unlimited */
export class AdmissionAnswerPayerDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: NonNullable<Schemas["AdmissionAnswer"]["payer"]>["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: NonNullable<Schemas["AdmissionAnswer"]["payer"]>["subject_id"];
}

/** The decision whether a model request may run */
export class AdmissionAnswerDto {
  @ApiProperty({ type: "string", enum: ["admitted","denied"] })
  @rules.IsIn(["admitted","denied"])
  decision!: Schemas["AdmissionAnswer"]["decision"];

  @ApiProperty({ type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"], description: "Why the request is denied, for the gateway and its log. Only gateways themselves use `model_not_granted`; this operation never returns it", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason?: Schemas["AdmissionAnswer"]["reason"];

  @ApiProperty({ type: "string", description: "A message for the client of the gateway; it is the same for all reasons of a denial", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  message?: Schemas["AdmissionAnswer"]["message"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["AdmissionAnswer"]["reservation_id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time of the decision, which is the `event_time` of the usage" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  admitted_at!: Schemas["AdmissionAnswer"]["admitted_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time at which the reservation ends unless it is extended", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["AdmissionAnswer"]["expires_at"];

  @ApiProperty({ type: () => AdmissionAnswerPayerDto, description: "The payer whose budget is charged; absent when no budget applies and spending is unlimited", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AdmissionAnswerPayerDto)
  payer?: Schemas["AdmissionAnswer"]["payer"];

  @ApiProperty({ type: "string", description: "Reserved amount in USD; 0 when no budget applies, because nothing is reserved then", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  reserved_usd?: Schemas["AdmissionAnswer"]["reserved_usd"];

  @ApiProperty({ type: "string", format: "uuid", description: "The version of the pricing catalog that applies to this request until its end", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["AdmissionAnswer"]["pricing_catalog_id"];
}

export class PersonPrincipalDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer!: Schemas["PersonPrincipal"]["issuer"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(255)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject!: Schemas["PersonPrincipal"]["subject"];
}

export class KeyPrincipalDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 64 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(64)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  virtual_key_id!: Schemas["KeyPrincipal"]["virtual_key_id"];
}

export class UsageEstimateDto {
  @ApiProperty({ type: "integer", minimum: 0, maximum: 1000000000 })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  prompt_tokens!: Schemas["UsageEstimate"]["prompt_tokens"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 1000000000, description: "The output limit of the request. Default: the output limit of the model, or 8192 where that is unknown", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  max_output_tokens?: Schemas["UsageEstimate"]["max_output_tokens"];
}

/** A model request that a gateway wants to send to an upstream */
@ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)
export class AdmissionRequestDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Identifies the request of the client; the same for all of its attempts" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  interaction_id!: Schemas["AdmissionRequest"]["interaction_id"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 1000000000, description: "Number of the call to an upstream for this interaction; a fallback is another attempt" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000000)
  attempt!: Schemas["AdmissionRequest"]["attempt"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["AdmissionRequest"]["gateway_id"];

  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" })
  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["AdmissionRequest"]["principal"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["AdmissionRequest"]["provider"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model as the client named it" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  requested_model!: Schemas["AdmissionRequest"]["requested_model"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model as the gateway names it to the upstream; its price is found by this name" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["AdmissionRequest"]["model"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  route!: Schemas["AdmissionRequest"]["route"];

  @ApiProperty({ type: () => UsageEstimateDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UsageEstimateDto)
  estimate!: Schemas["AdmissionRequest"]["estimate"];
}

/** Rates of requests with long prompts. They replace the same rates of the block for the whole request */
export class PromptSizeTierDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["PromptSizeTier"]["inputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["PromptSizeTier"]["cachedInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for five minutes. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation5mInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheCreation5mInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for an hour. Default: the rate for five minutes, otherwise the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation1hInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheCreation1hInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheWriteInputUsdPerMillion?: Schemas["PromptSizeTier"]["cacheWriteInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["PromptSizeTier"]["audioInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens that were read from a cache. Default: the rate of cached input, otherwise of audio input, otherwise of input", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedAudioInputUsdPerMillion?: Schemas["PromptSizeTier"]["cachedAudioInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["PromptSizeTier"]["outputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Reasoning tokens. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  reasoningOutputUsdPerMillion?: Schemas["PromptSizeTier"]["reasoningOutputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Thought tokens. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  thoughtsOutputUsdPerMillion?: Schemas["PromptSizeTier"]["thoughtsOutputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["PromptSizeTier"]["audioOutputUsdPerMillion"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 1000000000, description: "Required. The tier applies to requests whose whole prompt has more tokens, cached tokens included", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000000)
  aboveTokens?: Schemas["PromptSizeTier"]["aboveTokens"];
}

/** Rates of an Anthropic model, in US dollars per million tokens */
export class AnthropicRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["AnthropicRates"]["inputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["AnthropicRates"]["cachedInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for five minutes. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation5mInputUsdPerMillion?: Schemas["AnthropicRates"]["cacheCreation5mInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for an hour. Default: the rate for five minutes, otherwise the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheCreation1hInputUsdPerMillion?: Schemas["AnthropicRates"]["cacheCreation1hInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["AnthropicRates"]["outputUsdPerMillion"];

  @ApiProperty({ isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["AnthropicRates"]["promptSizeTiers"];
}

export class AnthropicToolRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Web searches", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  webSearchUsdPerThousand?: Schemas["AnthropicToolRates"]["webSearchUsdPerThousand"];
}

/** A change, or a request that was answered 403 */
export class AuditEventDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["AuditEvent"]["id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  occurred_at!: Schemas["AuditEvent"]["occurred_at"];

  @ApiProperty({ type: "string", description: "The `X-Request-Id` of the request" })
  @rules.IsString()
  request_id!: Schemas["AuditEvent"]["request_id"];

  @ApiProperty({ type: "string", description: "The issuer of the caller’s token" })
  @rules.IsString()
  issuer!: Schemas["AuditEvent"]["issuer"];

  @ApiProperty({ type: "string", description: "The subject of the caller’s token; `issuer` and `subject` identify the caller" })
  @rules.IsString()
  subject!: Schemas["AuditEvent"]["subject"];

  @ApiProperty({ type: "string", description: "The caller in the form that budgets, charges and users use" })
  @rules.IsString()
  subject_id!: Schemas["AuditEvent"]["subject_id"];

  @ApiProperty({ type: "string", description: "The name of the operation in this reference, for example `Update connector`" })
  @rules.IsString()
  operation!: Schemas["AuditEvent"]["operation"];

  @ApiProperty({ type: "string", description: "The kind of the changed object", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  object_kind?: Schemas["AuditEvent"]["object_kind"];

  @ApiProperty({ type: "string", description: "The changed object, or the object of the refused request", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  object_id?: Schemas["AuditEvent"]["object_id"];

  @ApiProperty({ type: "string", enum: ["succeeded","forbidden"], description: "`succeeded`: the change was stored; `forbidden`: the request was answered 403" })
  @rules.IsIn(["succeeded","forbidden"])
  outcome!: Schemas["AuditEvent"]["outcome"];

  @ApiProperty({ isArray: true, type: "string", description: "The names of the changed fields, without values" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  changed_fields!: Schemas["AuditEvent"]["changed_fields"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991, description: "The number of requests; more than one if a caller was refused many times in a short time" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  occurrences!: Schemas["AuditEvent"]["occurrences"];
}

/** Audit events, newest first */
export class AuditEventPageDto {
  @ApiProperty({ isArray: true, type: () => AuditEventDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => AuditEventDto)
  items!: Schemas["AuditEventPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["AuditEventPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["AuditEventPage"]["prev_cursor"];
}

/** The AWS role for a value of the role claim */
export class RoleMappingDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Exact value of the role claim", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  claim?: Schemas["RoleMapping"]["claim"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Pattern of the value instead of `claim`; `*` matches any characters", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  matcher?: Schemas["RoleMapping"]["matcher"];

  @ApiProperty({ type: "integer", minimum: -1000000, maximum: 1000000, description: "The matching mapping with the lowest priority applies; default 0", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-1000000)
  @rules.Max(1000000)
  priority?: Schemas["RoleMapping"]["priority"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_arn?: Schemas["RoleMapping"]["role_arn"];
}

export class AwsStsAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider_id!: Schemas["AwsStsAuth"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  region!: Schemas["AwsStsAuth"]["region"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  service?: Schemas["AwsStsAuth"]["service"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_claim?: Schemas["AwsStsAuth"]["role_claim"];

  @ApiProperty({ isArray: true, type: () => RoleMappingDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => RoleMappingDto)
  role_mappings?: Schemas["AwsStsAuth"]["role_mappings"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  fallback_role_arn?: Schemas["AwsStsAuth"]["fallback_role_arn"];

  @ApiProperty({ type: "integer", minimum: 900, maximum: 43200, description: "Seconds; default 3600", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(900)
  @rules.Max(43200)
  session_duration?: Schemas["AwsStsAuth"]["session_duration"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  session_name_claim?: Schemas["AwsStsAuth"]["session_name_claim"];
}

export class AwsStsAuthWriteDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["AwsStsAuthWrite"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  region!: Schemas["AwsStsAuthWrite"]["region"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  service?: Schemas["AwsStsAuthWrite"]["service"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  role_claim?: Schemas["AwsStsAuthWrite"]["role_claim"];

  @ApiProperty({ isArray: true, type: () => RoleMappingDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => RoleMappingDto)
  role_mappings?: Schemas["AwsStsAuthWrite"]["role_mappings"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  fallback_role_arn?: Schemas["AwsStsAuthWrite"]["fallback_role_arn"];

  @ApiProperty({ type: "integer", minimum: 900, maximum: 43200, description: "Seconds; default 3600", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(900)
  @rules.Max(43200)
  session_duration?: Schemas["AwsStsAuthWrite"]["session_duration"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  session_name_claim?: Schemas["AwsStsAuthWrite"]["session_name_claim"];
}

/** A key of a Kubernetes Secret in the cluster of the gateway. The gateway reads it */
export class KubernetesSecretRefDto {
  @ApiProperty({ type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", maxLength: 253 })
  @rules.IsString()
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", 'u'))
  name!: Schemas["KubernetesSecretRef"]["name"];

  @ApiProperty({ type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 })
  @rules.IsString()
  @rules.MaxLength(63)
  @rules.Matches(new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 'u'))
  namespace!: Schemas["KubernetesSecretRef"]["namespace"];

  @ApiProperty({ type: "string", pattern: "^(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+$", maxLength: 253 })
  @rules.IsString()
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+$", 'u'))
  key!: Schemas["KubernetesSecretRef"]["key"];
}

/** A reference to a secret. Exactly one member is required */
export class SecretRefDto {
  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  managed_secret_id?: Schemas["SecretRef"]["managed_secret_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Instead of the id. It is resolved at the time of the write; a later change of the name does not change the reference", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  managed_secret_name?: Schemas["SecretRef"]["managed_secret_name"];

  @ApiProperty({ type: () => KubernetesSecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => KubernetesSecretRefDto)
  kubernetes_secret?: Schemas["SecretRef"]["kubernetes_secret"];
}

export class BearerTokenAuthWriteDto {
  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  token?: Schemas["BearerTokenAuthWrite"]["token"];
}

/** Turns a feature of the client on or off */
export class BooleanDirectiveDto {
  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  value!: Schemas["BooleanDirective"]["value"];

  @ApiProperty({ type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" })
  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["BooleanDirective"]["enforcement"];
}

/** The amount of one model, provider, user or group */
export class BreakdownEntryDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  value!: Schemas["BreakdownEntry"]["value"];

  @ApiProperty({ type: "string", description: "Exact amount in US dollars with nine fraction digits" })
  @rules.IsString()
  used_usd!: Schemas["BreakdownEntry"]["used_usd"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BreakdownEntry"]["period"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BreakdownEntry"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BreakdownEntry"]["period_end"];
}

/** A webhook endpoint that is called when a budget reaches a threshold */
export class BudgetAlertDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlert"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["BudgetAlert"]["name"];

  @ApiProperty({ type: "string", enum: ["user","group"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlert"]["scope"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["BudgetAlert"]["subject_id"];

  @ApiProperty({ isArray: true, type: "string", enum: ["day","month","year"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlert"]["periods"];

  @ApiProperty({ isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, in ascending order" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlert"]["thresholds"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  url!: Schemas["BudgetAlert"]["url"];

  @ApiProperty({ type: "boolean", description: "Whether the target may have a private address and use http" })
  @rules.IsBoolean()
  allow_private_ips!: Schemas["BudgetAlert"]["allow_private_ips"];

  @ApiProperty({ type: "boolean", description: "Whether deliveries are sent. A target that responds with 410 disables its alert" })
  @rules.IsBoolean()
  enabled!: Schemas["BudgetAlert"]["enabled"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["BudgetAlert"]["previous_secret_valid_until"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlert"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["BudgetAlert"]["updated_at"];
}

export class BudgetAlertDeliveryAttemptsDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  at!: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["at"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "HTTP status of the response", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  status?: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["status"];

  @ApiProperty({ type: "string", description: "The reason of the failure, in one sentence", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: NonNullable<NonNullable<Schemas["BudgetAlertDelivery"]["attempts"]>[number]>["error"];
}

/** The delivery of one crossed threshold of a budget window to the target of an alert */
export class BudgetAlertDeliveryDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The `webhook-id` of all attempts" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlertDelivery"]["id"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  alert_id!: Schemas["BudgetAlertDelivery"]["alert_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Increases with each delivery; gaps have no meaning" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["BudgetAlertDelivery"]["sequence"];

  @ApiProperty({ type: "string", enum: ["crossing","test"], description: "`crossing` of a threshold, or `test` by an administrator" })
  @rules.IsIn(["crossing","test"])
  kind!: Schemas["BudgetAlertDelivery"]["kind"];

  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetAlertDelivery"]["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: Schemas["BudgetAlertDelivery"]["subject_id"];

  @ApiProperty({ type: "string", enum: ["day","month","year"] })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetAlertDelivery"]["period"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["BudgetAlertDelivery"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["BudgetAlertDelivery"]["period_end"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  threshold_percent!: Schemas["BudgetAlertDelivery"]["threshold_percent"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  limit_usd!: Schemas["BudgetAlertDelivery"]["limit_usd"];

  @ApiProperty({ type: "string", description: "The usage at the detection of the crossing" })
  @rules.IsString()
  used_usd!: Schemas["BudgetAlertDelivery"]["used_usd"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  reserved_usd!: Schemas["BudgetAlertDelivery"]["reserved_usd"];

  @ApiProperty({ type: "string", enum: ["pending","delivered","failed"], description: "`pending` until a success or the last attempt, also while the alert is disabled; then `delivered` or `failed`" })
  @rules.IsIn(["pending","delivered","failed"])
  state!: Schemas["BudgetAlertDelivery"]["state"];

  @ApiProperty({ isArray: true, type: () => BudgetAlertDeliveryAttemptsDto, description: "The last 50 attempts, oldest first" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDeliveryAttemptsDto)
  attempts!: Schemas["BudgetAlertDelivery"]["attempts"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time of the next attempt of a pending delivery; during an attempt, the time at which it would be repeated", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  next_attempt_at?: Schemas["BudgetAlertDelivery"]["next_attempt_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlertDelivery"]["created_at"];
}

/** Deliveries of an alert, newest first */
export class BudgetAlertDeliveryPageDto {
  @ApiProperty({ isArray: true, type: () => BudgetAlertDeliveryDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDeliveryDto)
  items!: Schemas["BudgetAlertDeliveryPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetAlertDeliveryPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["BudgetAlertDeliveryPage"]["prev_cursor"];
}

/** Alerts in the order of their creation */
export class BudgetAlertPageDto {
  @ApiProperty({ isArray: true, type: () => BudgetAlertDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetAlertDto)
  items!: Schemas["BudgetAlertPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetAlertPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["BudgetAlertPage"]["prev_cursor"];
}

/** An alert with its new signing secret */
export class BudgetAlertWithSecretDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetAlertWithSecret"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["BudgetAlertWithSecret"]["name"];

  @ApiProperty({ type: "string", enum: ["user","group"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlertWithSecret"]["scope"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["BudgetAlertWithSecret"]["subject_id"];

  @ApiProperty({ isArray: true, type: "string", enum: ["day","month","year"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlertWithSecret"]["periods"];

  @ApiProperty({ isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, in ascending order" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlertWithSecret"]["thresholds"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  url!: Schemas["BudgetAlertWithSecret"]["url"];

  @ApiProperty({ type: "boolean", description: "Whether the target may have a private address and use http" })
  @rules.IsBoolean()
  allow_private_ips!: Schemas["BudgetAlertWithSecret"]["allow_private_ips"];

  @ApiProperty({ type: "boolean", description: "Whether deliveries are sent. A target that responds with 410 disables its alert" })
  @rules.IsBoolean()
  enabled!: Schemas["BudgetAlertWithSecret"]["enabled"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["BudgetAlertWithSecret"]["previous_secret_valid_until"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["BudgetAlertWithSecret"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["BudgetAlertWithSecret"]["updated_at"];

  @ApiProperty({ type: "string", description: "The signing secret: `whsec_` and 32 bytes in base64. No other response contains it" })
  @rules.IsString()
  secret!: Schemas["BudgetAlertWithSecret"]["secret"];
}

/** The settings of an alert */
export class BudgetAlertWriteDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Display name" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["BudgetAlertWrite"]["name"];

  @ApiProperty({ type: "string", enum: ["user","group"], description: "The kind of budgets to watch. Default: budgets of users and of groups", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["user","group"])
  scope?: Schemas["BudgetAlertWrite"]["scope"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 1024, description: "The user or group to watch, as in budgets; requires `scope`. Default: all, including users with the default budget", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(1024)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_id?: Schemas["BudgetAlertWrite"]["subject_id"];

  @ApiProperty({ isArray: true, type: "string", enum: ["day","month","year"], description: "The periods to watch. Default: all", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(3)
  @rules.IsIn(["day","month","year"], { each: true })
  periods?: Schemas["BudgetAlertWrite"]["periods"];

  @ApiProperty({ isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, as integers without repetition" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.ArrayMaxSize(20)
  @rules.IsInt({ each: true })
  @rules.Min(1, { each: true })
  @rules.Max(1000, { each: true })
  thresholds!: Schemas["BudgetAlertWrite"]["thresholds"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The endpoint that receives deliveries. It must use https unless private addresses are allowed. Its address is checked when the alert is saved and at each delivery" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  url!: Schemas["BudgetAlertWrite"]["url"];

  @ApiProperty({ type: "boolean", description: "Allows a private address and http for the host and port of `url`. Default: false", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["BudgetAlertWrite"]["allow_private_ips"];

  @ApiProperty({ type: "boolean", description: "Default: true. Deliveries of a disabled alert stay pending", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  enabled?: Schemas["BudgetAlertWrite"]["enabled"];
}

/** The used amounts of the current window. The entries of each list add up to the total */
export class BudgetBreakdownDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetBreakdown"]["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: Schemas["BudgetBreakdown"]["subject_id"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BudgetBreakdown"]["period"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BudgetBreakdown"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BudgetBreakdown"]["period_end"];

  @ApiProperty({ type: "string", description: "Exact amount in US dollars with nine fraction digits" })
  @rules.IsString()
  total_used_usd!: Schemas["BudgetBreakdown"]["total_used_usd"];

  @ApiProperty({ isArray: true, type: () => BreakdownEntryDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_model!: Schemas["BudgetBreakdown"]["by_model"];

  @ApiProperty({ isArray: true, type: () => BreakdownEntryDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_provider!: Schemas["BudgetBreakdown"]["by_provider"];

  @ApiProperty({ isArray: true, type: () => BreakdownEntryDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  by_user!: Schemas["BudgetBreakdown"]["by_user"];
}

/** The usage of a budget in one window */
export class BudgetCellDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetCell"]["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: Schemas["BudgetCell"]["subject_id"];

  @ApiProperty({ type: "string", enum: ["day","month","year"] })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetCell"]["period"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  limit_usd!: Schemas["BudgetCell"]["limit_usd"];

  @ApiProperty({ type: "string", description: "Sum of the charges with an event in the window" })
  @rules.IsString()
  used_usd!: Schemas["BudgetCell"]["used_usd"];

  @ApiProperty({ type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" })
  @rules.IsString()
  remaining_usd!: Schemas["BudgetCell"]["remaining_usd"];

  @ApiProperty({ type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" })
  @rules.IsString()
  reserved_usd!: Schemas["BudgetCell"]["reserved_usd"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["BudgetCell"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["BudgetCell"]["period_end"];

  @ApiProperty({ type: "boolean", description: "Whether the limit comes from the default user budget" })
  @rules.IsBoolean()
  on_default!: Schemas["BudgetCell"]["on_default"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991, description: "Position of the payer among all payers. It is 1 for users, which pay first. Groups with a budget follow from 2 by precedence and id. A group has the same position in every list" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  ordinal!: Schemas["BudgetCell"]["ordinal"];
}

/** Budget cells: groups first, then by subject and period */
export class BudgetCellsPageDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time that the windows contain" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  at!: Schemas["BudgetCellsPage"]["at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time of the limits. It is always the time of the response, because past limits are not stored" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  limits_as_of!: Schemas["BudgetCellsPage"]["limits_as_of"];

  @ApiProperty({ isArray: true, type: () => BudgetCellDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetCellDto)
  cells!: Schemas["BudgetCellsPage"]["cells"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetCellsPage"]["next_cursor"];
}

/** The limit of a user or group in each window of a period */
export class BudgetSpecDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetSpec"]["scope"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 320, description: "For users: the subject of the token, or `<issuer id>/<subject>` for further issuers. For groups: the UUID" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(320)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_id!: Schemas["BudgetSpec"]["subject_id"];

  @ApiProperty({ type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" })
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["BudgetSpec"]["limit_usd"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["BudgetSpec"]["period"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 2147483647, description: "Position of the group among the groups of a user: the group with the lowest number pays first, and groups without one pay last. Default: the stored precedence stays", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(2147483647)
  precedence?: Schemas["BudgetSpec"]["precedence"];
}

/** All budgets, groups first, then by subject and period */
export class BudgetCollectionDto {
  @ApiProperty({ isArray: true, type: () => BudgetSpecDto, description: "At most one for each subject and period" })
  @rules.IsArray()
  @rules.ArrayMaxSize(20000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetSpecDto)
  budgets!: Schemas["BudgetCollection"]["budgets"];
}

/** The denials of one minute, user, reason and model */
export class BudgetDenialDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["BudgetDenial"]["id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The start of the minute of the denials" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  minute!: Schemas["BudgetDenial"]["minute"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_denied_at!: Schemas["BudgetDenial"]["last_denied_at"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The number of denials in this minute" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  denial_count!: Schemas["BudgetDenial"]["denial_count"];

  @ApiProperty({ type: "string", enum: ["request","lease"] })
  @rules.IsIn(["request","lease"])
  kind!: Schemas["BudgetDenial"]["kind"];

  @ApiProperty({ type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"] })
  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason!: Schemas["BudgetDenial"]["reason"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["BudgetDenial"]["gateway_id"];

  @ApiProperty({ type: "string", description: "The user of the requests, as budgets name it; absent for a key that does not exist", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  auth_subject?: Schemas["BudgetDenial"]["auth_subject"];

  @ApiProperty({ type: "string", description: "The virtual key that the client presented", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  virtual_key_id?: Schemas["BudgetDenial"]["virtual_key_id"];

  @ApiProperty({ type: "string", description: "Absent for leases", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  provider?: Schemas["BudgetDenial"]["provider"];

  @ApiProperty({ type: "string", description: "Absent for leases", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  model?: Schemas["BudgetDenial"]["model"];
}

/** Denials, newest first */
export class BudgetDenialsPageDto {
  @ApiProperty({ isArray: true, type: () => BudgetDenialDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BudgetDenialDto)
  denials!: Schemas["BudgetDenialsPage"]["denials"];

  @ApiProperty({ type: "string", description: "The cursor of the page with older denials", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["BudgetDenialsPage"]["next_cursor"];
}

/** The used amounts of the current window. The entries add up to the total */
export class BudgetSliceDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["BudgetSlice"]["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: Schemas["BudgetSlice"]["subject_id"];

  @ApiProperty({ type: "string", enum: ["user","model","group"] })
  @rules.IsIn(["user","model","group"])
  dimension!: Schemas["BudgetSlice"]["dimension"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["day","month","year"])
  period?: Schemas["BudgetSlice"]["period"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start?: Schemas["BudgetSlice"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end?: Schemas["BudgetSlice"]["period_end"];

  @ApiProperty({ type: "string", description: "Exact amount in US dollars with nine fraction digits" })
  @rules.IsString()
  total_used_usd!: Schemas["BudgetSlice"]["total_used_usd"];

  @ApiProperty({ isArray: true, type: () => BreakdownEntryDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => BreakdownEntryDto)
  entries!: Schemas["BudgetSlice"]["entries"];
}

export class CaCertificateSettingsDto {
  @ApiProperty({ type: "string", minLength: 1, description: "CA certificates in PEM format (RFC 7468); more than 512 KiB is 413", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  pem?: Schemas["CaCertificateSettings"]["pem"];

  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "https URL of the CA certificates", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  url?: Schemas["CaCertificateSettings"]["url"];
}

/** Certificate authorities that clients trust in addition to those of the machine */
export class CaCertificateDirectiveDto {
  @ApiProperty({ type: () => CaCertificateSettingsDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => CaCertificateSettingsDto)
  value!: Schemas["CaCertificateDirective"]["value"];

  @ApiProperty({ type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" })
  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["CaCertificateDirective"]["enforcement"];
}

/** A signed statement of the last record of a gateway at a time */
export class ChainHeadDto {
  @ApiProperty({ type: "string", enum: ["head"] })
  @rules.IsIn(["head"])
  statement!: Schemas["ChainHead"]["statement"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  chain_id!: Schemas["ChainHead"]["chain_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number of the last record; 0 without records" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["ChainHead"]["sequence"];

  @ApiProperty({ type: "string", description: "`record_hash` of the record at `sequence`" })
  @rules.IsString()
  chain_hash!: Schemas["ChainHead"]["chain_hash"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Each record that was acknowledged before this time is on this page or an earlier one" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["ChainHead"]["signed_at"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  hash_alg!: Schemas["ChainHead"]["hash_alg"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  sig_alg!: Schemas["ChainHead"]["sig_alg"];

  @ApiProperty({ type: "string", description: "`kid` in the key set of this service" })
  @rules.IsString()
  key_id!: Schemas["ChainHead"]["key_id"];

  @ApiProperty({ type: "string", description: "In the form of the signature of a checkpoint" })
  @rules.IsString()
  signature!: Schemas["ChainHead"]["signature"];
}

/** A signed statement of the record after which a chain begins */
export class ChainStartDto {
  @ApiProperty({ type: "string", enum: ["chain_start"] })
  @rules.IsIn(["chain_start"])
  statement!: Schemas["ChainStart"]["statement"];

  @ApiProperty({ type: "string", description: "The chain that begins on this page" })
  @rules.IsString()
  chain_id!: Schemas["ChainStart"]["chain_id"];

  @ApiProperty({ type: "string", description: "The previous chain; empty if no earlier record is stored" })
  @rules.IsString()
  previous_chain_id!: Schemas["ChainStart"]["previous_chain_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number of the last record of the previous chain" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  previous_sequence!: Schemas["ChainStart"]["previous_sequence"];

  @ApiProperty({ type: "string", description: "`record_hash` of that record" })
  @rules.IsString()
  previous_hash!: Schemas["ChainStart"]["previous_hash"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["ChainStart"]["signed_at"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  hash_alg!: Schemas["ChainStart"]["hash_alg"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  sig_alg!: Schemas["ChainStart"]["sig_alg"];

  @ApiProperty({ type: "string", description: "`kid` in the key set of this service" })
  @rules.IsString()
  key_id!: Schemas["ChainStart"]["key_id"];

  @ApiProperty({ type: "string", description: "In the form of the signature of a checkpoint" })
  @rules.IsString()
  signature!: Schemas["ChainStart"]["signature"];
}

export class ChangedBindingDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: Schemas["ChangedBinding"]["issuer"];

  @ApiProperty({ type: "string", description: "The claim of the issuer’s tokens that contains the value; for `sub`, no token contains it" })
  @rules.IsString()
  claim!: Schemas["ChangedBinding"]["claim"];

  @ApiProperty({ type: "string", description: "Value of the claim. ASCII letters of `email`, `preferred_username`, `upn` and `unique_name` are in lower case" })
  @rules.IsString()
  binding_key!: Schemas["ChangedBinding"]["binding_key"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  active!: Schemas["ChangedBinding"]["active"];
}

export class ChangedKeyDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  key_id!: Schemas["ChangedKey"]["key_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["ChangedKey"]["version"];
}

export class ChangedPersonDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: Schemas["ChangedPerson"]["issuer"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject!: Schemas["ChangedPerson"]["subject"];

  @ApiProperty({ type: "boolean", description: "False also for a user that was removed from the directory" })
  @rules.IsBoolean()
  active!: Schemas["ChangedPerson"]["active"];
}

/** The cost of one usage event, and its payer */
export class ChargeDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Charge"]["id"];

  @ApiProperty({ type: "string", format: "uuid", description: "The usage event of the charge. Each event has at most one charge" })
  @rules.IsString()
  @rules.IsUUID('all')
  event_id!: Schemas["Charge"]["event_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  interaction_id!: Schemas["Charge"]["interaction_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  attempt!: Schemas["Charge"]["attempt"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  event_time!: Schemas["Charge"]["event_time"];

  @ApiProperty({ type: "string", description: "The user that made the request" })
  @rules.IsString()
  auth_subject!: Schemas["Charge"]["auth_subject"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider!: Schemas["Charge"]["provider"];

  @ApiProperty({ type: "string", description: "The model that served the request" })
  @rules.IsString()
  model!: Schemas["Charge"]["model"];

  @ApiProperty({ type: "string", enum: ["user","group"], description: "The kind of the payer: a user or a group" })
  @rules.IsIn(["user","group"])
  scope!: Schemas["Charge"]["scope"];

  @ApiProperty({ type: "string", description: "The payer" })
  @rules.IsString()
  subject_id!: Schemas["Charge"]["subject_id"];

  @ApiProperty({ type: "string", description: "Exact amount in US dollars with nine fraction digits" })
  @rules.IsString()
  charged_usd!: Schemas["Charge"]["charged_usd"];

  @ApiProperty({ type: "string", enum: ["reported","estimated","none"], description: "The source of the usage: `reported` by the provider, `estimated` by the gateway, or `none`" })
  @rules.IsIn(["reported","estimated","none"])
  basis!: Schemas["Charge"]["basis"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The priced tokens and calls, in disjoint usage buckets" })
  @EveryValue((value) => typeof value === "number" || typeof value === "string")
  usage!: Schemas["Charge"]["usage"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["Charge"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["Charge"]["period_end"];

  @ApiProperty({ type: "string", format: "uuid", description: "The version of the pricing catalog that priced the charge" })
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id!: Schemas["Charge"]["pricing_catalog_id"];
}

/** Charges, newest first */
export class ChargesPageDto {
  @ApiProperty({ isArray: true, type: () => ChargeDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChargeDto)
  charges!: Schemas["ChargesPage"]["charges"];

  @ApiProperty({ type: "string", description: "Cursor of the next page, with older charges", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ChargesPage"]["next_cursor"];
}

export class ClearedConnectionDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ClearedConnection"]["connector_id"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Increases with each change of the connection, also when it is deleted and created again" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  version!: Schemas["ClearedConnection"]["version"];
}

/** The first document that a client reads */
export class ClientBootstrapDiscoveryDto {
  @ApiProperty({ type: "string", description: "The OpenID provider at which users sign in" })
  @rules.IsString()
  issuer!: Schemas["ClientBootstrapDiscovery"]["issuer"];

  @ApiProperty({ type: "string", description: "The public OAuth client for the sign-in" })
  @rules.IsString()
  client_id!: Schemas["ClientBootstrapDiscovery"]["client_id"];

  @ApiProperty({ isArray: true, type: "string", description: "The scopes for the sign-in" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ClientBootstrapDiscovery"]["scopes_supported"];

  @ApiProperty({ type: "string", description: "The URL of the signed configuration" })
  @rules.IsString()
  config_endpoint!: Schemas["ClientBootstrapDiscovery"]["config_endpoint"];

  @ApiProperty({ type: "string", description: "The URL of the key set that verifies the signed configuration" })
  @rules.IsString()
  jwks_uri!: Schemas["ClientBootstrapDiscovery"]["jwks_uri"];

  @ApiProperty({ type: "string", description: "The URL of the protected resource metadata (RFC 9728)" })
  @rules.IsString()
  oauth_protected_resource!: Schemas["ClientBootstrapDiscovery"]["oauth_protected_resource"];
}

export class RegistrySettingsDto {
  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "URL of the registry of MCP servers", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  api_url?: Schemas["RegistrySettings"]["api_url"];

  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "URL of the API of the registry server", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  server_api_url?: Schemas["RegistrySettings"]["server_api_url"];

  @ApiProperty({ type: "boolean", description: "Whether the registry may have a private IP address", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ip?: Schemas["RegistrySettings"]["allow_private_ip"];
}

/** The registry in which clients find MCP servers */
export class RegistryDirectiveDto {
  @ApiProperty({ type: () => RegistrySettingsDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => RegistrySettingsDto)
  value!: Schemas["RegistryDirective"]["value"];

  @ApiProperty({ type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" })
  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["RegistryDirective"]["enforcement"];
}

export class TelemetrySettingsDto {
  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "URL of the OpenTelemetry collector", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  otel_endpoint?: Schemas["TelemetrySettings"]["otel_endpoint"];

  @ApiProperty({ type: "number", minimum: 0, maximum: 1, description: "Fraction of traces that are sampled, from 0 to 1; the text of the number is kept", required: false })
  @UnlessOneOf(undefined)
  @rules.IsNumber()
  @rules.Min(0)
  @rules.Max(1)
  sampling_rate?: Schemas["TelemetrySettings"]["sampling_rate"];

  @ApiProperty({ type: "boolean", description: "Whether clients send traces", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  tracing_enabled?: Schemas["TelemetrySettings"]["tracing_enabled"];

  @ApiProperty({ type: "boolean", description: "Whether clients send metrics", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  metrics_enabled?: Schemas["TelemetrySettings"]["metrics_enabled"];

  @ApiProperty({ type: "boolean", description: "Whether clients skip the check of the collector’s certificate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure?: Schemas["TelemetrySettings"]["insecure"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Headers that clients send to the collector. Every user who signs in can read them; they must not contain secrets", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  headers?: Schemas["TelemetrySettings"]["headers"];
}

/** The collector to which clients send telemetry */
export class TelemetryDirectiveDto {
  @ApiProperty({ type: () => TelemetrySettingsDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TelemetrySettingsDto)
  value!: Schemas["TelemetryDirective"]["value"];

  @ApiProperty({ type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" })
  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["TelemetryDirective"]["enforcement"];
}

export class GatewaySettingsDto {
  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "URL of the AI gateway", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  api_url?: Schemas["GatewaySettings"]["api_url"];

  @ApiProperty({ type: "string", format: "uri", maxLength: 2048, description: "URL of the proxy in front of the AI gateway", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2048)
  proxy_url?: Schemas["GatewaySettings"]["proxy_url"];
}

/** The AI gateway that clients use for models */
export class GatewayDirectiveDto {
  @ApiProperty({ type: () => GatewaySettingsDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewaySettingsDto)
  value!: Schemas["GatewayDirective"]["value"];

  @ApiProperty({ type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" })
  @rules.IsIn(["enforced","default"])
  enforcement!: Schemas["GatewayDirective"]["enforcement"];
}

/** The behaviour of clients while a dependency of the manager is down */
export class DegradedModeDto {
  @ApiProperty({ type: "string", enum: ["warn","block_new"], description: "`warn`: continue and show `message`; `block_new`: continue, but start nothing new" })
  @rules.IsIn(["warn","block_new"])
  policy!: Schemas["DegradedMode"]["policy"];

  @ApiProperty({ type: "string", maxLength: 32, description: "The time after the last read from the database for which the last known configuration is served" })
  @rules.IsString()
  @rules.MaxLength(32)
  grace_period!: Schemas["DegradedMode"]["grace_period"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 500, description: "Message for the user" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(500)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  message!: Schemas["DegradedMode"]["message"];
}

/** The directives for clients */
export class EnterpriseConfigDto {
  @ApiProperty({ type: () => RegistryDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => RegistryDirectiveDto)
  registry?: Schemas["EnterpriseConfig"]["registry"];

  @ApiProperty({ type: () => BooleanDirectiveDto, description: "Whether users may run MCP servers that are not in the registry", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  non_registry_servers?: Schemas["EnterpriseConfig"]["non_registry_servers"];

  @ApiProperty({ type: () => TelemetryDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TelemetryDirectiveDto)
  telemetry?: Schemas["EnterpriseConfig"]["telemetry"];

  @ApiProperty({ type: () => CaCertificateDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => CaCertificateDirectiveDto)
  ca_certificate?: Schemas["EnterpriseConfig"]["ca_certificate"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Environment variables of image builds. Every user who signs in can read them; they must not contain secrets", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  build_env?: Schemas["EnterpriseConfig"]["build_env"];

  @ApiProperty({ type: () => BooleanDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  playground?: Schemas["EnterpriseConfig"]["playground"];

  @ApiProperty({ type: () => BooleanDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  help_menu?: Schemas["EnterpriseConfig"]["help_menu"];

  @ApiProperty({ type: () => BooleanDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BooleanDirectiveDto)
  assistant?: Schemas["EnterpriseConfig"]["assistant"];

  @ApiProperty({ type: () => GatewayDirectiveDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewayDirectiveDto)
  gateway?: Schemas["EnterpriseConfig"]["gateway"];

  @ApiProperty({ type: () => DegradedModeDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DegradedModeDto)
  degraded_mode?: Schemas["EnterpriseConfig"]["degraded_mode"];
}

/** Directives for the users of a group */
export class ClientConfigOverrideDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The override applies to the users of this group, also through subgroups" })
  @rules.IsString()
  @rules.IsUUID('all')
  group_id!: Schemas["ClientConfigOverride"]["group_id"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 1000000, description: "If several overrides of a user have a directive, the one with the lowest precedence applies; each number is used once" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(1000000)
  precedence!: Schemas["ClientConfigOverride"]["precedence"];

  @ApiProperty({ type: () => EnterpriseConfigDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ClientConfigOverride"]["config"];
}

/** The configuration of clients */
export class ClientConfigDto {
  @ApiProperty({ type: () => EnterpriseConfigDto, description: "The base document for all users" })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ClientConfig"]["config"];

  @ApiProperty({ isArray: true, type: () => ClientConfigOverrideDto, description: "The overrides of groups, by precedence" })
  @rules.IsArray()
  @rules.ArrayMaxSize(500)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ClientConfigOverrideDto)
  overrides!: Schemas["ClientConfig"]["overrides"];
}

/** The behaviour of clients while a dependency of the manager is down, and whether one is down now */
export class DegradedModeStateDto {
  @ApiProperty({ type: "string", enum: ["warn","block_new"], description: "`warn`: continue and show `message`; `block_new`: continue, but start nothing new" })
  @rules.IsIn(["warn","block_new"])
  policy!: Schemas["DegradedModeState"]["policy"];

  @ApiProperty({ type: "string", maxLength: 32, description: "The time after the last read from the database for which the last known configuration is served" })
  @rules.IsString()
  @rules.MaxLength(32)
  grace_period!: Schemas["DegradedModeState"]["grace_period"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 500, description: "Message for the user" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(500)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  message!: Schemas["DegradedModeState"]["message"];

  @ApiProperty({ type: "boolean", description: "True while the database is unavailable and `config` is the last known configuration; otherwise false" })
  @rules.IsBoolean()
  in_force!: Schemas["DegradedModeState"]["in_force"];
}

/** The configuration of a client, signed for its type and its user */
export class ConfigEnvelopeDto {
  @ApiProperty({ type: "string", description: "The version of the envelope’s format: `1`" })
  @rules.IsString()
  schema_version!: Schemas["ConfigEnvelope"]["schema_version"];

  @ApiProperty({ type: () => EnterpriseConfigDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => EnterpriseConfigDto)
  config!: Schemas["ConfigEnvelope"]["config"];

  @ApiProperty({ type: () => DegradedModeStateDto, description: "Present if `config` has a degraded mode, and while the database is unavailable; see `in_force`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DegradedModeStateDto)
  degraded_mode?: Schemas["ConfigEnvelope"]["degraded_mode"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The time of issue. It increases with every change; clients refuse older envelopes than the one they have" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  issued_at!: Schemas["ConfigEnvelope"]["issued_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The expiry: from this time on the envelope must not be used" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  not_after!: Schemas["ConfigEnvelope"]["not_after"];

  @ApiProperty({ type: "string", description: "The time until the next request of the client, for example `5m`" })
  @rules.IsString()
  refresh_interval!: Schemas["ConfigEnvelope"]["refresh_interval"];

  @ApiProperty({ type: "string", description: "`sha256:` and the digest of the canonical `config` and `degraded_mode` (RFC 8785)" })
  @rules.IsString()
  etag!: Schemas["ConfigEnvelope"]["etag"];

  @ApiProperty({ type: "string", description: "Detached JWS (RFC 7515, RFC 7797, ES256) over the canonical envelope without `signature` and `etag`; its header names the client type in `aud` and the list of issuer and subject in `sub`" })
  @rules.IsString()
  signature!: Schemas["ConfigEnvelope"]["signature"];
}

/** The settings of a user for a connector */
export class ConnectionDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Connection"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["Connection"]["gateway_id"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["Connection"]["connector_id"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["Connection"]["user_id"];

  @ApiProperty({ type: "boolean", description: "Whether the gateway offers the connector to this user" })
  @rules.IsBoolean()
  enabled!: Schemas["Connection"]["enabled"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["Connection"]["tools_enabled_by_default"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  tools_exception_list!: Schemas["Connection"]["tools_exception_list"];

  @ApiProperty({ isArray: true, type: "string", description: "Exceptions for tools that a gateway did not see at the connector; they take effect when the tool exists. Absent until a gateway has seen the tools", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsString({ each: true })
  unknown_tools?: Schemas["Connection"]["unknown_tools"];

  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"], description: "Last observation of a gateway: `ready` if no credential of the user is needed, `needs_auth` if it is missing, `connected` if it is present. Absent before the first observation", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status?: Schemas["Connection"]["connection_status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Connection"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Connection"]["updated_at"];
}

/** A connection of the caller to a connector */
export class ConnectionCreateDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["ConnectionCreate"]["gateway_id"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectionCreate"]["connector_id"];

  @ApiProperty({ type: "boolean", description: "Default true", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  enabled?: Schemas["ConnectionCreate"]["enabled"];

  @ApiProperty({ type: "boolean", description: "Default true", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  tools_enabled_by_default?: Schemas["ConnectionCreate"]["tools_enabled_by_default"];

  @ApiProperty({ isArray: true, type: "string", minLength: 1, maxLength: 256, description: "Tools, by their upstream names, for which the opposite of the default holds; unknown names are allowed", required: false })
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
  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["ConnectionEnabledWrite"]["enabled"];
}

/** Connections in the order of their creation */
export class ConnectionPageDto {
  @ApiProperty({ isArray: true, type: () => ConnectionDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectionDto)
  items!: Schemas["ConnectionPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectionPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectionPage"]["prev_cursor"];
}

/** The connection status of a user at an upstream, as a gateway observed it */
export class ObservedConnectionStatusDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["ObservedConnectionStatus"]["user_id"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ObservedConnectionStatus"]["connector_id"];

  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"] })
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ObservedConnectionStatus"]["connection_status"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Names of all tools that the upstream listed for this user; absent if the gateway did not list them", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  tools?: Schemas["ObservedConnectionStatus"]["tools"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  observed_at!: Schemas["ObservedConnectionStatus"]["observed_at"];
}

/** Connection statuses that a gateway observed */
export class ConnectionStatusBatchDto {
  @ApiProperty({ isArray: true, type: () => ObservedConnectionStatusDto, description: "An invalid observation is rejected alone" })
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ObservedConnectionStatusDto)
  statuses!: Schemas["ConnectionStatusBatch"]["statuses"];
}

export class ConnectionStatusReceiptDto {
  @ApiProperty({ type: "string", enum: ["stored","stale","rejected"], description: "`stale`: a newer observation is stored" })
  @rules.IsIn(["stored","stale","rejected"])
  status!: Schemas["ConnectionStatusReceipt"]["status"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ConnectionStatusReceipt"]["error"];
}

/** One result for each observation */
export class ConnectionStatusReceiptsDto {
  @ApiProperty({ isArray: true, type: () => ConnectionStatusReceiptDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectionStatusReceiptDto)
  results!: Schemas["ConnectionStatusReceipts"]["results"];
}

/** The enabled tools; an omitted list is empty */
export class ConnectionToolPolicyWriteDto {
  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["ConnectionToolPolicyWrite"]["tools_enabled_by_default"];

  @ApiProperty({ isArray: true, type: "string", minLength: 1, maxLength: 256, description: "Tools, by their upstream names, for which the opposite of the default holds; unknown names are allowed", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  tools_exception_list?: Schemas["ConnectionToolPolicyWrite"]["tools_exception_list"];
}

export class HeaderInjectionAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  header_name!: Schemas["HeaderInjectionAuth"]["header_name"];
}

export class UpstreamInjectAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider_id!: Schemas["UpstreamInjectAuth"]["provider_id"];
}

export class TokenExchangeAuthDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The default is the token endpoint of the provider", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_url?: Schemas["TokenExchangeAuth"]["token_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["TokenExchangeAuth"]["client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["TokenExchangeAuth"]["audience"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["TokenExchangeAuth"]["scopes"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id?: Schemas["TokenExchangeAuth"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["TokenExchangeAuth"]["subject_token_type"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Header of the new token in requests to the upstream; default `Authorization`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  external_token_header_name?: Schemas["TokenExchangeAuth"]["external_token_header_name"];

  @ApiProperty({ type: "boolean", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  client_secret_configured?: Schemas["TokenExchangeAuth"]["client_secret_configured"];
}

export class OboAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider_id!: Schemas["OboAuth"]["provider_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  client_id!: Schemas["OboAuth"]["client_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  tenant_id!: Schemas["OboAuth"]["tenant_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["OboAuth"]["audience"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default `https://login.microsoftonline.com`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authority?: Schemas["OboAuth"]["authority"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["OboAuth"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^\\d{1,4}(ms|s|m)$", minLength: 1, maxLength: 2048, description: "Time before its expiry at which a token is renewed; default 60s", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^\\d{1,4}(ms|s|m)$", 'u'))
  cache_skew?: Schemas["OboAuth"]["cache_skew"];
}

export class XaaAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider_id!: Schemas["XaaAuth"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_client_id?: Schemas["XaaAuth"]["idp_client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_token_url?: Schemas["XaaAuth"]["idp_token_url"];

  @ApiProperty({ type: "boolean", description: "Allows plain http and a private address for `target_token_url` only", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure_target_token_url?: Schemas["XaaAuth"]["insecure_target_token_url"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["XaaAuth"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["XaaAuth"]["subject_token_type"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_audience?: Schemas["XaaAuth"]["target_audience"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_client_id?: Schemas["XaaAuth"]["target_client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_resource?: Schemas["XaaAuth"]["target_resource"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_token_url?: Schemas["XaaAuth"]["target_token_url"];
}

/** How the gateway authenticates to the upstream */
export class ConnectorAuthDto {
  @ApiProperty({ type: "string", enum: ["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"] })
  @rules.IsIn(["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"])
  type!: Schemas["ConnectorAuth"]["type"];

  @ApiProperty({ type: () => HeaderInjectionAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => HeaderInjectionAuthDto)
  header_injection?: Schemas["ConnectorAuth"]["header_injection"];

  @ApiProperty({ type: () => UpstreamInjectAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UpstreamInjectAuthDto)
  upstream_inject?: Schemas["ConnectorAuth"]["upstream_inject"];

  @ApiProperty({ type: () => TokenExchangeAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TokenExchangeAuthDto)
  token_exchange?: Schemas["ConnectorAuth"]["token_exchange"];

  @ApiProperty({ type: () => AwsStsAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AwsStsAuthDto)
  aws_sts?: Schemas["ConnectorAuth"]["aws_sts"];

  @ApiProperty({ type: () => OboAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OboAuthDto)
  obo?: Schemas["ConnectorAuth"]["obo"];

  @ApiProperty({ type: () => XaaAuthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => XaaAuthDto)
  xaa?: Schemas["ConnectorAuth"]["xaa"];
}

/** An MCP server that a gateway offers */
export class ConnectorDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Connector"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["Connector"]["gateway_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["Connector"]["name"];

  @ApiProperty({ type: "string", description: "Prefix of the tools at the gateway, `<slug>__<tool>`: at most 24 characters of `[a-z0-9-]`; derived from the name at creation, then constant" })
  @rules.IsString()
  slug!: Schemas["Connector"]["slug"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  endpoint!: Schemas["Connector"]["endpoint"];

  @ApiProperty({ type: "string", enum: ["streamable-http","sse"] })
  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["Connector"]["transport"];

  @ApiProperty({ type: () => ConnectorAuthDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorAuthDto)
  auth!: Schemas["Connector"]["auth"];

  @ApiProperty({ type: "boolean", description: "Whether the endpoint may have a private address and plain http" })
  @rules.IsBoolean()
  allow_private_ips!: Schemas["Connector"]["allow_private_ips"];

  @ApiProperty({ type: "string", enum: ["kubernetes","proxy_remote"] })
  @rules.IsIn(["kubernetes","proxy_remote"])
  deployment_mode!: Schemas["Connector"]["deployment_mode"];

  @ApiProperty({ type: "string", enum: ["manual","kubernetes_cluster","custom_registry","gatehouse_registry"] })
  @rules.IsIn(["manual","kubernetes_cluster","custom_registry","gatehouse_registry"])
  origin!: Schemas["Connector"]["origin"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["Connector"]["description"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  icon_url?: Schemas["Connector"]["icon_url"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  repository_url?: Schemas["Connector"]["repository_url"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  support_url?: Schemas["Connector"]["support_url"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  version?: Schemas["Connector"]["version"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  source_name?: Schemas["Connector"]["source_name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  source_namespace?: Schemas["Connector"]["source_namespace"];

  @ApiProperty({ type: "string", enum: ["draft","available","failure"], description: "`draft` until it is published, then the outcome of the endpoint check; users see only `available` connectors" })
  @rules.IsIn(["draft","available","failure"])
  status!: Schemas["Connector"]["status"];

  @ApiProperty({ type: "string", description: "Reason of the failed check", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  status_message?: Schemas["Connector"]["status_message"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Connector"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Connector"]["updated_at"];
}

export class HeaderInjectionAuthWriteDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  header_name!: Schemas["HeaderInjectionAuthWrite"]["header_name"];

  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  value?: Schemas["HeaderInjectionAuthWrite"]["value"];
}

export class UpstreamInjectAuthWriteDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["UpstreamInjectAuthWrite"]["provider_id"];
}

export class TokenExchangeAuthWriteDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The default is the token endpoint of the provider", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_url?: Schemas["TokenExchangeAuthWrite"]["token_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["TokenExchangeAuthWrite"]["client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["TokenExchangeAuthWrite"]["audience"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["TokenExchangeAuthWrite"]["scopes"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id?: Schemas["TokenExchangeAuthWrite"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["TokenExchangeAuthWrite"]["subject_token_type"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Header of the new token in requests to the upstream; default `Authorization`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  external_token_header_name?: Schemas["TokenExchangeAuthWrite"]["external_token_header_name"];

  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["TokenExchangeAuthWrite"]["client_secret"];
}

export class OboAuthWriteDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["OboAuthWrite"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id!: Schemas["OboAuthWrite"]["client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  tenant_id!: Schemas["OboAuthWrite"]["tenant_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  audience?: Schemas["OboAuthWrite"]["audience"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default `https://login.microsoftonline.com`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authority?: Schemas["OboAuthWrite"]["authority"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["OboAuthWrite"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^\\d{1,4}(ms|s|m)$", minLength: 1, maxLength: 2048, description: "Time before its expiry at which a token is renewed; default 60s", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^\\d{1,4}(ms|s|m)$", 'u'))
  cache_skew?: Schemas["OboAuthWrite"]["cache_skew"];

  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["OboAuthWrite"]["client_secret"];
}

export class XaaAuthWriteDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  provider_id!: Schemas["XaaAuthWrite"]["provider_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_client_id?: Schemas["XaaAuthWrite"]["idp_client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  idp_token_url?: Schemas["XaaAuthWrite"]["idp_token_url"];

  @ApiProperty({ type: "boolean", description: "Allows plain http and a private address for `target_token_url` only", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  insecure_target_token_url?: Schemas["XaaAuthWrite"]["insecure_target_token_url"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MinLength(1, { each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'), { each: true })
  scopes?: Schemas["XaaAuthWrite"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_token_type?: Schemas["XaaAuthWrite"]["subject_token_type"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_audience?: Schemas["XaaAuthWrite"]["target_audience"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_client_id?: Schemas["XaaAuthWrite"]["target_client_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_resource?: Schemas["XaaAuthWrite"]["target_resource"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  target_token_url?: Schemas["XaaAuthWrite"]["target_token_url"];

  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  idp_client_secret?: Schemas["XaaAuthWrite"]["idp_client_secret"];

  @ApiProperty({ type: () => SecretRefDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  target_client_secret?: Schemas["XaaAuthWrite"]["target_client_secret"];
}

/** How the gateway authenticates to the upstream */
export class ConnectorAuthWriteDto {
  @ApiProperty({ type: "string", enum: ["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"] })
  @rules.IsIn(["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"])
  type!: Schemas["ConnectorAuthWrite"]["type"];

  @ApiProperty({ type: () => BearerTokenAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => BearerTokenAuthWriteDto)
  bearer_token?: Schemas["ConnectorAuthWrite"]["bearer_token"];

  @ApiProperty({ type: () => HeaderInjectionAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => HeaderInjectionAuthWriteDto)
  header_injection?: Schemas["ConnectorAuthWrite"]["header_injection"];

  @ApiProperty({ type: () => UpstreamInjectAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => UpstreamInjectAuthWriteDto)
  upstream_inject?: Schemas["ConnectorAuthWrite"]["upstream_inject"];

  @ApiProperty({ type: () => TokenExchangeAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => TokenExchangeAuthWriteDto)
  token_exchange?: Schemas["ConnectorAuthWrite"]["token_exchange"];

  @ApiProperty({ type: () => AwsStsAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AwsStsAuthWriteDto)
  aws_sts?: Schemas["ConnectorAuthWrite"]["aws_sts"];

  @ApiProperty({ type: () => OboAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OboAuthWriteDto)
  obo?: Schemas["ConnectorAuthWrite"]["obo"];

  @ApiProperty({ type: () => XaaAuthWriteDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => XaaAuthWriteDto)
  xaa?: Schemas["ConnectorAuthWrite"]["xaa"];
}

/** Registration of a client (RFC 7591) */
export class DynamicRegistrationConfigDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Metadata document (RFC 8414) with the registration endpoint; the default for `oidc` is the document of the issuer", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  discovery_url?: Schemas["DynamicRegistrationConfig"]["discovery_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Registration endpoint, instead of `discovery_url`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  registration_endpoint?: Schemas["DynamicRegistrationConfig"]["registration_endpoint"];

  @ApiProperty({ type: () => SecretRefDto, description: "Sent with the registration request (RFC 7591 section 3)", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  initial_access_token?: Schemas["DynamicRegistrationConfig"]["initial_access_token"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  software_id?: Schemas["DynamicRegistrationConfig"]["software_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 16384, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(16384)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  software_statement?: Schemas["DynamicRegistrationConfig"]["software_statement"];
}

/** OpenID Connect */
export class OidcConfigDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The exact issuer; its discovery document is read when the provider is saved" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer_url!: Schemas["OidcConfig"]["issuer_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "Exactly one of `client_id` and `dcr`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["OidcConfig"]["client_id"];

  @ApiProperty({ type: () => SecretRefDto, description: "Without it the client is public and uses PKCE only", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["OidcConfig"]["client_secret"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", 'u'), { each: true })
  scopes?: Schemas["OidcConfig"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default is `<issuer of the connector gateway>/oauth/callback`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  redirect_uri?: Schemas["OidcConfig"]["redirect_uri"];

  @ApiProperty({ type: "string", enum: ["client_secret_basic","client_secret_post"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["client_secret_basic","client_secret_post"])
  token_endpoint_auth_method?: Schemas["OidcConfig"]["token_endpoint_auth_method"];

  @ApiProperty({ type: () => DynamicRegistrationConfigDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DynamicRegistrationConfigDto)
  dcr?: Schemas["OidcConfig"]["dcr"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Claim with the subject of the user; default `sub`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  subject_claim?: Schemas["OidcConfig"]["subject_claim"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Additional parameters of the authorization request; parameters of the protocol are refused", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  additional_authorization_params?: Schemas["OidcConfig"]["additional_authorization_params"];

  @ApiProperty({ type: "boolean", description: "Default false; allows private addresses and plain http for the issuer, but not for endpoints in its documents", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["OidcConfig"]["allow_private_ips"];
}

/** OAuth 2 with configured endpoints */
export class Oauth2ConfigDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  authorization_endpoint!: Schemas["Oauth2Config"]["authorization_endpoint"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  token_endpoint!: Schemas["Oauth2Config"]["token_endpoint"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "Exactly one of `client_id` and `dcr`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  client_id?: Schemas["Oauth2Config"]["client_id"];

  @ApiProperty({ type: () => SecretRefDto, description: "Without it the client is public and uses PKCE only", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SecretRefDto)
  client_secret?: Schemas["Oauth2Config"]["client_secret"];

  @ApiProperty({ isArray: true, type: "string", pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(100)
  @rules.IsString({ each: true })
  @rules.MaxLength(256, { each: true })
  @rules.Matches(new RegExp("^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", 'u'), { each: true })
  scopes?: Schemas["Oauth2Config"]["scopes"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default is `<issuer of the connector gateway>/oauth/callback`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  redirect_uri?: Schemas["Oauth2Config"]["redirect_uri"];

  @ApiProperty({ type: "string", enum: ["client_secret_basic","client_secret_post"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["client_secret_basic","client_secret_post"])
  token_endpoint_auth_method?: Schemas["Oauth2Config"]["token_endpoint_auth_method"];

  @ApiProperty({ type: () => DynamicRegistrationConfigDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => DynamicRegistrationConfigDto)
  dcr?: Schemas["Oauth2Config"]["dcr"];

  @ApiProperty({ type: "boolean", description: "Default false; allows private addresses and plain http for the configured endpoints, but not for endpoints in its documents", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["Oauth2Config"]["allow_private_ips"];
}

/** The outcome of the last check of an identity provider */
export class ProviderDiscoveryDto {
  @ApiProperty({ type: "string", enum: ["ok","none","unreachable","contradicts"], description: "`ok`: the metadata documents agree with the provider; `none`: the provider has no document; `unreachable`: a host cannot be resolved or does not answer; `contradicts`: the document of a host that was unreachable disagrees with the provider" })
  @rules.IsIn(["ok","none","unreachable","contradicts"])
  status!: Schemas["ProviderDiscovery"]["status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Time of the check; a failed check is repeated every minute" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  checked_at!: Schemas["ProviderDiscovery"]["checked_at"];

  @ApiProperty({ type: "string", description: "The field and the problem; only for `unreachable` and `contradicts`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ProviderDiscovery"]["error"];
}

/** An identity provider at which users sign in for connectors */
export class ConnectorIdentityProviderDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ConnectorIdentityProvider"]["id"];

  @ApiProperty({ type: "string", description: "Unique; case and Unicode form do not count" })
  @rules.IsString()
  name!: Schemas["ConnectorIdentityProvider"]["name"];

  @ApiProperty({ type: "string", enum: ["oidc","oauth2"] })
  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["ConnectorIdentityProvider"]["provider_type"];

  @ApiProperty({ type: "string", enum: ["static","dcr"] })
  @rules.IsIn(["static","dcr"])
  registration_mode!: Schemas["ConnectorIdentityProvider"]["registration_mode"];

  @ApiProperty({ type: "string", enum: ["api","config"] })
  @rules.IsIn(["api","config"])
  source!: Schemas["ConnectorIdentityProvider"]["source"];

  @ApiProperty({ type: () => OidcConfigDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OidcConfigDto)
  oidc_config?: Schemas["ConnectorIdentityProvider"]["oidc_config"];

  @ApiProperty({ type: () => Oauth2ConfigDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => Oauth2ConfigDto)
  oauth2_config?: Schemas["ConnectorIdentityProvider"]["oauth2_config"];

  @ApiProperty({ type: () => ProviderDiscoveryDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ProviderDiscoveryDto)
  discovery!: Schemas["ConnectorIdentityProvider"]["discovery"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ConnectorIdentityProvider"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ConnectorIdentityProvider"]["updated_at"];
}

/** Identity providers in the order of their creation */
export class ConnectorIdentityProviderPageDto {
  @ApiProperty({ isArray: true, type: () => ConnectorIdentityProviderDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorIdentityProviderDto)
  items!: Schemas["ConnectorIdentityProviderPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectorIdentityProviderPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectorIdentityProviderPage"]["prev_cursor"];
}

/** The complete state of a new or existing identity provider */
export class ConnectorIdentityProviderWriteDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ConnectorIdentityProviderWrite"]["name"];

  @ApiProperty({ type: "string", enum: ["oidc","oauth2"] })
  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["ConnectorIdentityProviderWrite"]["provider_type"];

  @ApiProperty({ type: () => OidcConfigDto, description: "Required for the type `oidc`; refused for other types", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OidcConfigDto)
  oidc_config?: Schemas["ConnectorIdentityProviderWrite"]["oidc_config"];

  @ApiProperty({ type: () => Oauth2ConfigDto, description: "Required for the type `oauth2`; refused for other types", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => Oauth2ConfigDto)
  oauth2_config?: Schemas["ConnectorIdentityProviderWrite"]["oauth2_config"];
}

/** Connectors in the order of their creation */
export class ConnectorPageDto {
  @ApiProperty({ isArray: true, type: () => ConnectorDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorDto)
  items!: Schemas["ConnectorPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ConnectorPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ConnectorPage"]["prev_cursor"];
}

/** A group of the directory */
export class GroupRefDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  id!: Schemas["GroupRef"]["id"];

  @ApiProperty({ type: "string", description: "Name of the group as in `GET /v1/groups`; empty if it is unknown" })
  @rules.IsString()
  name!: Schemas["GroupRef"]["name"];

  @ApiProperty({ type: "string", description: "Display name of the group; absent if it is unknown, as in records of deleted groups", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["GroupRef"]["display_name"];
}

/** The rules that decide which users may use a connector */
export class ConnectorPolicyDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorPolicy"]["connector_id"];

  @ApiProperty({ type: "string", enum: ["structured","cedar"], description: "`structured`: the document is compiled from the granted groups; `cedar`: an administrator wrote it" })
  @rules.IsIn(["structured","cedar"])
  mode!: Schemas["ConnectorPolicy"]["mode"];

  @ApiProperty({ type: "string", description: "The Cedar document; an empty document denies all requests" })
  @rules.IsString()
  document!: Schemas["ConnectorPolicy"]["document"];

  @ApiProperty({ isArray: true, type: () => GroupRefDto, description: "Groups with access; in the mode `cedar` the groups that get access in the mode `structured`" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupRefDto)
  granted_user_groups!: Schemas["ConnectorPolicy"]["granted_user_groups"];
}

/** A connector by id and name */
export class ConnectorRefDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ConnectorRef"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["ConnectorRef"]["name"];
}

/** The users whose calls the answer counts: all users or one */
export class FiguresOfDto {
  @ApiProperty({ type: "string", enum: ["all_users","user"] })
  @rules.IsIn(["all_users","user"])
  scope!: Schemas["FiguresOf"]["scope"];

  @ApiProperty({ type: "string", format: "uuid", description: "Absent for all users, and for a caller without a directory entry", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["FiguresOf"]["user_id"];
}

/** The number of calls in a bucket */
export class UsagePointDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  bucket_start!: Schemas["UsagePoint"]["bucket_start"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsagePoint"]["tool_call_count"];
}

/** The calls of the users of a group */
export class GroupUsageSeriesDto {
  @ApiProperty({ type: () => GroupRefDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GroupRefDto)
  group!: Schemas["GroupUsageSeries"]["group"];

  @ApiProperty({ isArray: true, type: () => UsagePointDto, description: "All buckets of the range, including those without calls" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsagePointDto)
  points!: Schemas["GroupUsageSeries"]["points"];
}

/** The number of calls to a connector, in total and by group */
export class ConnectorUsageDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["ConnectorUsage"]["figures_of"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorUsage"]["connector_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  connector_name!: Schemas["ConnectorUsage"]["connector_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["ConnectorUsage"]["tool_call_count"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["ConnectorUsage"]["bucket_width_seconds"];

  @ApiProperty({ isArray: true, type: () => GroupUsageSeriesDto, description: "The 100 groups with the most calls (fewer in long series: 2,500 points in all). A call counts in all groups that its user belonged to at the time" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupUsageSeriesDto)
  group_series!: Schemas["ConnectorUsage"]["group_series"];
}

/** The complete state of a new or existing connector */
export class ConnectorWriteDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ConnectorWrite"]["name"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Address of the MCP server; https unless private addresses are allowed. It is checked at publication and at each call" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  endpoint!: Schemas["ConnectorWrite"]["endpoint"];

  @ApiProperty({ type: "string", enum: ["streamable-http","sse"] })
  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["ConnectorWrite"]["transport"];

  @ApiProperty({ type: "boolean", description: "`false` publishes the connector: the endpoint is checked, and the status becomes `available` or `failure`" })
  @rules.IsBoolean()
  draft!: Schemas["ConnectorWrite"]["draft"];

  @ApiProperty({ type: () => ConnectorAuthWriteDto, description: "The default is the type `none`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorAuthWriteDto)
  auth?: Schemas["ConnectorWrite"]["auth"];

  @ApiProperty({ type: "boolean", description: "Default false; applies to the host and port of the endpoint only", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  allow_private_ips?: Schemas["ConnectorWrite"]["allow_private_ips"];

  @ApiProperty({ type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["ConnectorWrite"]["description"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  icon_url?: Schemas["ConnectorWrite"]["icon_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  repository_url?: Schemas["ConnectorWrite"]["repository_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(2048)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  support_url?: Schemas["ConnectorWrite"]["support_url"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  version?: Schemas["ConnectorWrite"]["version"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 253, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  source_name?: Schemas["ConnectorWrite"]["source_name"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 253, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(253)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  source_namespace?: Schemas["ConnectorWrite"]["source_namespace"];

  @ApiProperty({ type: "string", enum: ["manual","kubernetes_cluster","custom_registry","gatehouse_registry"], description: "Default `manual`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["manual","kubernetes_cluster","custom_registry","gatehouse_registry"])
  origin?: Schemas["ConnectorWrite"]["origin"];
}

/** The spend of one day in the time zone, or of the part of the day that is in the window */
export class SpendBucketDto {
  @ApiProperty({ type: "string", format: "date" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  date!: Schemas["SpendBucket"]["date"];

  @ApiProperty({ type: "string", description: "Exact amount in US dollars with nine fraction digits" })
  @rules.IsString()
  usd!: Schemas["SpendBucket"]["usd"];
}

/** Every day of the window, also days without spend */
export class DailySpendSeriesDto {
  @ApiProperty({ type: "string", enum: ["day"] })
  @rules.IsIn(["day"])
  granularity!: Schemas["DailySpendSeries"]["granularity"];

  @ApiProperty({ type: "string", description: "The time zone of the days" })
  @rules.IsString()
  time_zone!: Schemas["DailySpendSeries"]["time_zone"];

  @ApiProperty({ type: "string", description: "Start of the served window: a date if it is the first moment of a day in the time zone, otherwise RFC 3339" })
  @rules.IsString()
  from!: Schemas["DailySpendSeries"]["from"];

  @ApiProperty({ type: "string", description: "End of the served window, exclusive, in the same form as `from`" })
  @rules.IsString()
  to!: Schemas["DailySpendSeries"]["to"];

  @ApiProperty({ isArray: true, type: () => SpendBucketDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SpendBucketDto)
  buckets!: Schemas["DailySpendSeries"]["buckets"];
}

/** The limit of each user without a budget of their own for the period */
export class DefaultUserBudgetDto {
  @ApiProperty({ type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" })
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["DefaultUserBudget"]["limit_usd"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["DefaultUserBudget"]["period"];
}

/** The number of calls of one value of the dimension */
export class DimensionCountDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  key!: Schemas["DimensionCount"]["key"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["DimensionCount"]["tool_call_count"];
}

/** An MCP server in the cluster */
export class DiscoveredServerDto {
  @ApiProperty({ type: "string", format: "uuid", description: "UID of the object in the cluster; the id for admission" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["DiscoveredServer"]["id"];

  @ApiProperty({ type: "string", description: "Kind of the object, for example `MCPServer` or `Service`" })
  @rules.IsString()
  kind!: Schemas["DiscoveredServer"]["kind"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["DiscoveredServer"]["name"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  namespace!: Schemas["DiscoveredServer"]["namespace"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  endpoint!: Schemas["DiscoveredServer"]["endpoint"];

  @ApiProperty({ type: "string", enum: ["streamable-http","sse"] })
  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["DiscoveredServer"]["transport"];

  @ApiProperty({ type: "string", description: "The group of servers that the operator in the cluster assigned", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  group?: Schemas["DiscoveredServer"]["group"];

  @ApiProperty({ type: "string", enum: ["ready","degraded","pending","failed","stopped","unknown"] })
  @rules.IsIn(["ready","degraded","pending","failed","stopped","unknown"])
  health!: Schemas["DiscoveredServer"]["health"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["DiscoveredServer"]["description"];

  @ApiProperty({ type: "boolean", description: "`allow_private_ips` of its connector: true for a Service of the object’s own namespace, and if the object allows it" })
  @rules.IsBoolean()
  allow_private_ips!: Schemas["DiscoveredServer"]["allow_private_ips"];

  @ApiProperty({ isArray: true, type: () => ConnectorRefDto, description: "Connectors of this gateway with the same endpoint" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorRefDto)
  existing_connectors!: Schemas["DiscoveredServer"]["existing_connectors"];
}

/** The admission of a discovered server */
export class DiscoveredServerAdmissionDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Name of the connector; default is the name of the server", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: Schemas["DiscoveredServerAdmission"]["name"];

  @ApiProperty({ type: "boolean", description: "Default true; `false` publishes the connector, after a check of the endpoint", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  draft?: Schemas["DiscoveredServerAdmission"]["draft"];
}

/** MCP servers in the cluster, ordered by namespace and name */
export class DiscoveredServersDto {
  @ApiProperty({ isArray: true, type: () => DiscoveredServerDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => DiscoveredServerDto)
  servers!: Schemas["DiscoveredServers"]["servers"];
}

/** The user’s settings of a connector */
export class EntitledConnectionDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["EntitledConnection"]["connector_id"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["EntitledConnection"]["enabled"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  tools_enabled_by_default!: Schemas["EntitledConnection"]["tools_enabled_by_default"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  tools_exception_list!: Schemas["EntitledConnection"]["tools_exception_list"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Time of the last change" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["EntitledConnection"]["updated_at"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Increases with each change of the connection, also when it is deleted and created again" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  version!: Schemas["EntitledConnection"]["version"];
}

/** The groups and connections of a user at a gateway */
export class EntitlementsDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["Entitlements"]["user_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: Schemas["Entitlements"]["issuer"];

  @ApiProperty({ type: "string", description: "Absent until the first sign-in of a provisioned user", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  subject?: Schemas["Entitlements"]["subject"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  active!: Schemas["Entitlements"]["active"];

  @ApiProperty({ isArray: true, type: "string", description: "Ids of all groups of the user, direct and through subgroups" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["Entitlements"]["groups"];

  @ApiProperty({ isArray: true, type: () => EntitledConnectionDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => EntitledConnectionDto)
  connections!: Schemas["Entitlements"]["connections"];

  @ApiProperty({ isArray: true, type: () => ClearedConnectionDto, description: "Connections that the user deleted; the default applies to these connectors" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ClearedConnectionDto)
  cleared_connections!: Schemas["Entitlements"]["cleared_connections"];

  @ApiProperty({ type: "string", description: "Changes with each other field" })
  @rules.IsString()
  version!: Schemas["Entitlements"]["version"];
}

/** A JSON object that administrators attach to a user or group */
export class EntityMetadataDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  entity_id!: Schemas["EntityMetadata"]["entity_id"];

  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  entity_kind!: Schemas["EntityMetadata"]["entity_kind"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The stored document. Each number keeps its text; the order of keys may differ" })
  @rules.IsObject()
  metadata!: Schemas["EntityMetadata"]["metadata"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["EntityMetadata"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["EntityMetadata"]["updated_at"];
}

/** An allowed or denied call of a tool */
export class ToolCallDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  call_id!: Schemas["ToolCall"]["call_id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  occurred_at!: Schemas["ToolCall"]["occurred_at"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["ToolCall"]["gateway_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  environment!: Schemas["ToolCall"]["environment"];

  @ApiProperty({ type: "string", format: "uuid", description: "Absent if no connector matched the slug of the call", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id?: Schemas["ToolCall"]["connector_id"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  connector_name?: Schemas["ToolCall"]["connector_name"];

  @ApiProperty({ type: "string", description: "The name of the tool at its server; the name in the call for a tool that was not offered; with the slug if no connector matched it" })
  @rules.IsString()
  tool_name!: Schemas["ToolCall"]["tool_name"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["ToolCall"]["user_id"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  user_email?: Schemas["ToolCall"]["user_email"];

  @ApiProperty({ isArray: true, type: () => GroupRefDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupRefDto)
  groups!: Schemas["ToolCall"]["groups"];

  @ApiProperty({ type: "string", enum: ["allowed","denied","unspecified"] })
  @rules.IsIn(["allowed","denied","unspecified"])
  decision!: Schemas["ToolCall"]["decision"];

  @ApiProperty({ type: "string", enum: ["ok","error","unspecified"] })
  @rules.IsIn(["ok","error","unspecified"])
  outcome!: Schemas["ToolCall"]["outcome"];

  @ApiProperty({ type: "string", enum: ["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"] })
  @rules.IsIn(["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"])
  category!: Schemas["ToolCall"]["category"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  billable!: Schemas["ToolCall"]["billable"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  billable_reason?: Schemas["ToolCall"]["billable_reason"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  definition_version?: Schemas["ToolCall"]["definition_version"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  duration_ms?: Schemas["ToolCall"]["duration_ms"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  arguments_sha256?: Schemas["ToolCall"]["arguments_sha256"];
}

/** A record with its position in a hash chain */
export class ExportedToolCallDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The call_id of the record" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ExportedToolCall"]["id"];

  @ApiProperty({ type: "string", description: "`<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived" })
  @rules.IsString()
  chain_id!: Schemas["ExportedToolCall"]["chain_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number in the chain, from 1" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["ExportedToolCall"]["sequence"];

  @ApiProperty({ type: "string", description: "`record_hash` of the previous record; empty for the first record" })
  @rules.IsString()
  prev_hash!: Schemas["ExportedToolCall"]["prev_hash"];

  @ApiProperty({ type: "string", description: "Hexadecimal SHA-256 over the RFC 8785 form of {chain_id, sequence, prev_hash, usage}" })
  @rules.IsString()
  record_hash!: Schemas["ExportedToolCall"]["record_hash"];

  @ApiProperty({ type: () => ToolCallDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ToolCallDto)
  usage!: Schemas["ExportedToolCall"]["usage"];
}

/** An extended reservation and its new end */
export class ExtendedReservationDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id!: Schemas["ExtendedReservation"]["reservation_id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at!: Schemas["ExtendedReservation"]["expires_at"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @ApiProperty({ type: "string", description: "The reason as one sentence" })
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
}

export class SnapshotConnectorAuthHeaderInjectionDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  header_name!: NonNullable<NonNullable<Schemas["SnapshotConnector"]["auth"]>["header_injection"]>["header_name"];
}

/** A managed secret for the gateway to reveal; each new value is a new version */
export class SecretVersionDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SecretVersion"]["id"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["SecretVersion"]["version"];
}

/** The type and its settings, as in `ConnectorAuth`, without secret values */
export class SnapshotConnectorAuthDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  type!: NonNullable<Schemas["SnapshotConnector"]["auth"]>["type"];

  @ApiProperty({ type: () => SnapshotConnectorAuthHeaderInjectionDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotConnectorAuthHeaderInjectionDto)
  header_injection?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["header_injection"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Managed secrets by their field in `auth`, for example `bearer_token.token`", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(SecretVersionDto, value))
  secrets?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["secrets"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Kubernetes secrets that the gateway reads in its cluster, by their field in `auth`", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(KubernetesSecretRefDto, value))
  kubernetes_secrets?: NonNullable<Schemas["SnapshotConnector"]["auth"]>["kubernetes_secrets"];
}

export class SnapshotIdentityProviderSecretsDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: NonNullable<NonNullable<Schemas["SnapshotIdentityProvider"]["secrets"]>[string]>["id"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: NonNullable<NonNullable<Schemas["SnapshotIdentityProvider"]["secrets"]>[string]>["version"];
}

/** An identity provider of connectors; contains no secret values */
export class SnapshotIdentityProviderDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SnapshotIdentityProvider"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["SnapshotIdentityProvider"]["name"];

  @ApiProperty({ type: "string", enum: ["oidc","oauth2"] })
  @rules.IsIn(["oidc","oauth2"])
  provider_type!: Schemas["SnapshotIdentityProvider"]["provider_type"];

  @ApiProperty({ type: "string", enum: ["static","dcr"] })
  @rules.IsIn(["static","dcr"])
  registration_mode!: Schemas["SnapshotIdentityProvider"]["registration_mode"];

  @ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  oidc_config?: Schemas["SnapshotIdentityProvider"]["oidc_config"];

  @ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  oauth2_config?: Schemas["SnapshotIdentityProvider"]["oauth2_config"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "References by field, for example `oidc_config.client_secret`; a new value has a new version" })
  @EveryValue((value) => isValid(SnapshotIdentityProviderSecretsDto, value))
  secrets!: Schemas["SnapshotIdentityProvider"]["secrets"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "References to secrets that the gateway reads in its cluster, by field", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => isValid(KubernetesSecretRefDto, value))
  kubernetes_secrets?: Schemas["SnapshotIdentityProvider"]["kubernetes_secrets"];
}

/** An available connector */
export class SnapshotConnectorDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["SnapshotConnector"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  slug!: Schemas["SnapshotConnector"]["slug"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["SnapshotConnector"]["name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["SnapshotConnector"]["description"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  endpoint!: Schemas["SnapshotConnector"]["endpoint"];

  @ApiProperty({ type: "string", enum: ["streamable-http","sse"] })
  @rules.IsIn(["streamable-http","sse"])
  transport!: Schemas["SnapshotConnector"]["transport"];

  @ApiProperty({ type: () => SnapshotConnectorAuthDto, description: "The type and its settings, as in `ConnectorAuth`, without secret values" })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotConnectorAuthDto)
  auth!: Schemas["SnapshotConnector"]["auth"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  allow_private_ips!: Schemas["SnapshotConnector"]["allow_private_ips"];

  @ApiProperty({ type: () => SnapshotIdentityProviderDto, description: "The identity provider that `auth` names", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => SnapshotIdentityProviderDto)
  identity_provider?: Schemas["SnapshotConnector"]["identity_provider"];
}

/** The policy that decides which users may use a connector */
export class SnapshotPolicyDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["SnapshotPolicy"]["connector_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["SnapshotPolicy"]["version"];

  @ApiProperty({ type: "string", description: "Cedar text" })
  @rules.IsString()
  document!: Schemas["SnapshotPolicy"]["document"];
}

/** The limits of requests of a gateway */
export class GatewaySnapshotLimitsDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Maximum number of tool-call records in a batch" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  batch_calls!: NonNullable<Schemas["GatewaySnapshot"]["limits"]>["batch_calls"];
}

/** Connectors and policies of a gateway */
export class GatewaySnapshotDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["GatewaySnapshot"]["gateway_id"];

  @ApiProperty({ isArray: true, type: () => SnapshotConnectorDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SnapshotConnectorDto)
  connectors!: Schemas["GatewaySnapshot"]["connectors"];

  @ApiProperty({ isArray: true, type: () => SnapshotPolicyDto, description: "One policy for each connector; no user may use a connector without a policy" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SnapshotPolicyDto)
  policies!: Schemas["GatewaySnapshot"]["policies"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The claims of tokens that policies can use, with their types" })
  @EveryValue((value) => ["String","Long","Bool","Set<String>"].includes(value as never))
  claim_mapping!: Schemas["GatewaySnapshot"]["claim_mapping"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "By issuer: the claim that binds a token to a provisioned entry. Issuers that bind by the subject are absent" })
  @EveryValue((value) => typeof value === "string")
  binding_claims!: Schemas["GatewaySnapshot"]["binding_claims"];

  @ApiProperty({ type: () => GatewaySnapshotLimitsDto, description: "The limits of requests of a gateway" })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GatewaySnapshotLimitsDto)
  limits!: Schemas["GatewaySnapshot"]["limits"];
}

/** Rates of a Google model, in US dollars per million tokens */
export class GoogleRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["GoogleRates"]["inputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["GoogleRates"]["cachedInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["GoogleRates"]["audioInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens that were read from a cache. Default: the rate of cached input, otherwise of audio input, otherwise of input", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedAudioInputUsdPerMillion?: Schemas["GoogleRates"]["cachedAudioInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["GoogleRates"]["outputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Thought tokens. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  thoughtsOutputUsdPerMillion?: Schemas["GoogleRates"]["thoughtsOutputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["GoogleRates"]["audioOutputUsdPerMillion"];

  @ApiProperty({ isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["GoogleRates"]["promptSizeTiers"];
}

export class GoogleToolRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Searches for grounding", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  groundingSearchUsdPerThousand?: Schemas["GoogleToolRates"]["groundingSearchUsdPerThousand"];
}

/** A direct member: a user or a group */
export class GroupMemberDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["GroupMember"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  display!: Schemas["GroupMember"]["display"];

  @ApiProperty({ type: "string", enum: ["User","Group"] })
  @rules.IsIn(["User","Group"])
  type!: Schemas["GroupMember"]["type"];
}

/** A group of users and of other groups */
export class GroupDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["Group"]["id"];

  @ApiProperty({ type: "string", description: "Derived from the display name: lower case with hyphens; `group` for a display name without letters and digits. A suffix such as `-2` makes it unique" })
  @rules.IsString()
  name!: Schemas["Group"]["name"];

  @ApiProperty({ type: "string", description: "Unique, regardless of case and Unicode form" })
  @rules.IsString()
  display_name!: Schemas["Group"]["display_name"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  description!: Schemas["Group"]["description"];

  @ApiProperty({ type: "string", enum: ["local","scim"], description: "The owner of the group. Groups with the source `scim` are changed in their provisioning directory" })
  @rules.IsIn(["local","scim"])
  source!: Schemas["Group"]["source"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of direct and indirect users of the group, each counted once" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  transitive_member_count!: Schemas["Group"]["transitive_member_count"];

  @ApiProperty({ isArray: true, type: () => GroupMemberDto, description: "Direct members, at most 1,000; only in the response for one group", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupMemberDto)
  members?: Schemas["Group"]["members"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["Group"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["Group"]["updated_at"];
}

/** The limit of a group for one period, and the precedence of the group */
export class GroupBudgetWriteDto {
  @ApiProperty({ type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" })
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["GroupBudgetWrite"]["limit_usd"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["GroupBudgetWrite"]["period"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 2147483647, description: "Position of the group among the groups of a user: the group with the lowest number pays first, and groups without one pay last. Default: the stored precedence stays", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(2147483647)
  precedence?: Schemas["GroupBudgetWrite"]["precedence"];
}

/** A new group */
export class GroupCreateDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The display name of the group; it is unique, also in other case or Unicode form" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  display_name!: Schemas["GroupCreate"]["display_name"];

  @ApiProperty({ type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, description: "The purpose of the group", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["GroupCreate"]["description"];
}

/** A user of the directory */
export class UserDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["User"]["id"];

  @ApiProperty({ type: "string", description: "Unique within the issuer" })
  @rules.IsString()
  user_name!: Schemas["User"]["user_name"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  display_name!: Schemas["User"]["display_name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["User"]["email"];

  @ApiProperty({ type: "string", description: "The owner reference of the user in budgets, charges and reports. Absent until the first sign-in of a provisioned user", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  subject_id?: Schemas["User"]["subject_id"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  photo_url?: Schemas["User"]["photo_url"];

  @ApiProperty({ type: "string", enum: ["config","scim","sign_in"], description: "The origin of the entry: the configuration, a provisioning directory, or the first sign-in" })
  @rules.IsIn(["config","scim","sign_in"])
  source!: Schemas["User"]["source"];

  @ApiProperty({ type: "boolean", description: "Whether the user has any access" })
  @rules.IsBoolean()
  active!: Schemas["User"]["active"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["User"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["User"]["updated_at"];
}

/** The direct subgroups of a group, and its direct and indirect users */
export class GroupMembersDto {
  @ApiProperty({ isArray: true, type: () => GroupDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  direct_child_groups!: Schemas["GroupMembers"]["direct_child_groups"];

  @ApiProperty({ isArray: true, type: () => UserDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserDto)
  transitive_users!: Schemas["GroupMembers"]["transitive_users"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_groups_cursor?: Schemas["GroupMembers"]["next_groups_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_groups_cursor?: Schemas["GroupMembers"]["prev_groups_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_users_cursor?: Schemas["GroupMembers"]["next_users_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_users_cursor?: Schemas["GroupMembers"]["prev_users_cursor"];
}

/** Groups in the order of their creation */
export class GroupPageDto {
  @ApiProperty({ isArray: true, type: () => GroupDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  items!: Schemas["GroupPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["GroupPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["GroupPage"]["prev_cursor"];
}

/** The fields to change; absent fields keep their values */
export class GroupPatchDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The display name of the group; it is unique, also in other case or Unicode form", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  display_name?: Schemas["GroupPatch"]["display_name"];

  @ApiProperty({ type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, description: "The purpose of the group", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(2000)
  @rules.Matches(new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", 'u'))
  description?: Schemas["GroupPatch"]["description"];
}

/** A signed statement of a position in a chain */
export class IntegrityCheckpointDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  chain_id!: Schemas["IntegrityCheckpoint"]["chain_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  sequence!: Schemas["IntegrityCheckpoint"]["sequence"];

  @ApiProperty({ type: "string", description: "`record_hash` of the record at `sequence`" })
  @rules.IsString()
  chain_hash!: Schemas["IntegrityCheckpoint"]["chain_hash"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  hash_alg!: Schemas["IntegrityCheckpoint"]["hash_alg"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  sig_alg!: Schemas["IntegrityCheckpoint"]["sig_alg"];

  @ApiProperty({ type: "string", description: "`kid` in the key set of this service" })
  @rules.IsString()
  key_id!: Schemas["IntegrityCheckpoint"]["key_id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  signed_at!: Schemas["IntegrityCheckpoint"]["signed_at"];

  @ApiProperty({ type: "string", description: "ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of the checkpoint without `signature`" })
  @rules.IsString()
  signature!: Schemas["IntegrityCheckpoint"]["signature"];
}

/** JSON Web Key Set (RFC 7517) */
export class JWKSDto {
  @ApiProperty({ isArray: true, type: 'object', additionalProperties: true })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  keys!: Schemas["JWKS"]["keys"];
}

/** Keys that have changed */
export class KeyChangesDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The value of `after` in the next request" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["KeyChanges"]["version"];

  @ApiProperty({ isArray: true, type: () => ChangedKeyDto, description: "Keys that were created, rotated, disabled, enabled or revoked; at most 1000" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedKeyDto)
  keys!: Schemas["KeyChanges"]["keys"];

  @ApiProperty({ type: "boolean", description: "Group memberships have changed: cached groups must be requested again" })
  @rules.IsBoolean()
  groups_changed!: Schemas["KeyChanges"]["groups_changed"];

  @ApiProperty({ type: "boolean", description: "`after` belongs to another database: all cached keys must be requested again" })
  @rules.IsBoolean()
  reset!: Schemas["KeyChanges"]["reset"];
}

/** A new key, which always belongs to the caller */
export class KeyCreateDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255, description: "Display name; it need not be unique. Default: the prefix of the key", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(255)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: Schemas["KeyCreate"]["name"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Labels, at most 32: names of up to 64 characters, values of up to 512", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  metadata?: Schemas["KeyCreate"]["metadata"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 315360000, description: "Lifetime of the key in seconds, at most ten years; 0 or no value means that it does not expire", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(315360000)
  ttl_seconds?: Schemas["KeyCreate"]["ttl_seconds"];
}

export class KeyEncryptionVersionDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["KeyEncryptionVersion"]["version"];

  @ApiProperty({ type: "string", enum: ["current","opens","missing","refused"], description: "`current` wraps new values and opens stored ones; `opens` only opens stored values; `missing` is not configured, although stored values need it; `refused` is not used, because it is configured with another key than before" })
  @rules.IsIn(["current","opens","missing","refused"])
  state!: Schemas["KeyEncryptionVersion"]["state"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of stored values that it wraps. An older version with 0 values can be removed from the configuration" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  values!: Schemas["KeyEncryptionVersion"]["values"];
}

/** The versions of the key-encryption key, without the keys */
export class KeyEncryptionStatusDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The version that wraps new values. Absent when no key is configured", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  current_version?: Schemas["KeyEncryptionStatus"]["current_version"];

  @ApiProperty({ isArray: true, type: () => KeyEncryptionVersionDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => KeyEncryptionVersionDto)
  versions!: Schemas["KeyEncryptionStatus"]["versions"];

  @ApiProperty({ type: "boolean", description: "Whether the replica that answers is rewrapping values" })
  @rules.IsBoolean()
  rewrapping!: Schemas["KeyEncryptionStatus"]["rewrapping"];
}

/** A virtual API key */
export class VirtualKeyDto {
  @ApiProperty({ type: "string", description: "Short id, which is also the public part of the key text" })
  @rules.IsString()
  id!: Schemas["VirtualKey"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["VirtualKey"]["name"];

  @ApiProperty({ type: "string", description: "The beginning of the key text: `gh_<id>`" })
  @rules.IsString()
  prefix!: Schemas["VirtualKey"]["prefix"];

  @ApiProperty({ type: "string", enum: ["active","disabled","revoked"], description: "`revoked` is permanent. A key whose `expires_at` has passed is unusable in any status" })
  @rules.IsIn(["active","disabled","revoked"])
  status!: Schemas["VirtualKey"]["status"];

  @ApiProperty({ isArray: true, type: "string", enum: ["owner","administrator","deactivation"], description: "The reasons why the key is disabled. `owner` and `administrator` can each be undone only by the same side; `deactivation` ends when the owner’s directory entry is active again", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsIn(["owner","administrator","deactivation"], { each: true })
  disabled_by?: Schemas["VirtualKey"]["disabled_by"];

  @ApiProperty({ type: "string", description: "The owner: the subject, or `<issuer id>/<subject>` for further issuers, as in budgets and charges" })
  @rules.IsString()
  owner_ref!: Schemas["VirtualKey"]["owner_ref"];

  @ApiProperty({ type: "string", description: "The user who created the key, in the form of `owner_ref`" })
  @rules.IsString()
  created_by!: Schemas["VirtualKey"]["created_by"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["VirtualKey"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Absent for a key that does not expire", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["VirtualKey"]["expires_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "The last time at which a gateway resolved the key, requested an admission or a lease with it, or reported its usage; updated at most once a minute", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["VirtualKey"]["last_used_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["VirtualKey"]["previous_secret_valid_until"];

  @ApiProperty({ type: 'object', additionalProperties: true })
  @EveryValue((value) => typeof value === "string")
  metadata!: Schemas["VirtualKey"]["metadata"];
}

/** The keys that are not revoked, newest first, and then the newest revoked keys */
export class KeyListDto {
  @ApiProperty({ isArray: true, type: () => VirtualKeyDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => VirtualKeyDto)
  keys!: Schemas["KeyList"]["keys"];
}

/** The key that a client presented */
export class KeyResolveDto {
  @ApiProperty({ type: "string", pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the whole key as the client presented it; the key itself is not sent" })
  @rules.IsString()
  @rules.Matches(new RegExp("^[0-9a-f]{64}$", 'u'))
  secret_sha256!: Schemas["KeyResolve"]["secret_sha256"];
}

/** A key with its new secret */
export class KeyWithSecretDto {
  @ApiProperty({ type: () => VirtualKeyDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => VirtualKeyDto)
  key!: Schemas["KeyWithSecret"]["key"];

  @ApiProperty({ type: "string", description: "The whole key, which clients present to the AI gateway. No other response contains it" })
  @rules.IsString()
  secret!: Schemas["KeyWithSecret"]["secret"];
}

/** The payer from whose budget the lease takes; absent when no budget applies and spending is unlimited */
export class LeaseAnswerPayerDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: NonNullable<Schemas["LeaseAnswer"]["payer"]>["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: NonNullable<Schemas["LeaseAnswer"]["payer"]>["subject_id"];
}

/** A granted lease, or the reason of a denial */
export class LeaseAnswerDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The `reservation_id` of usage that the gateway charges to the lease", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  lease_id?: Schemas["LeaseAnswer"]["lease_id"];

  @ApiProperty({ type: "string", description: "Granted amount in USD; `0` when nothing is granted" })
  @rules.IsString()
  granted_usd!: Schemas["LeaseAnswer"]["granted_usd"];

  @ApiProperty({ type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"], description: "Why nothing is granted", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"])
  reason?: Schemas["LeaseAnswer"]["reason"];

  @ApiProperty({ type: () => LeaseAnswerPayerDto, description: "The payer from whose budget the lease takes; absent when no budget applies and spending is unlimited", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => LeaseAnswerPayerDto)
  payer?: Schemas["LeaseAnswer"]["payer"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["LeaseAnswer"]["expires_at"];

  @ApiProperty({ type: "string", format: "uuid", description: "The version of the pricing catalog that applies to usage of the lease", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["LeaseAnswer"]["pricing_catalog_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The version of the virtual key at the decision; 0 without a key", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  key_version?: Schemas["LeaseAnswer"]["key_version"];
}

/** A part of a budget that a gateway wants, to admit requests by itself */
@ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)
export class LeaseRequestDto {
  @ApiProperty({ type: "string", pattern: "^.{14}7.{4}[89ab]", description: "UUID v7 that the gateway generates. A repeated request with the same content returns the same lease" })
  @rules.IsString()
  @rules.Matches(new RegExp("^.{14}7.{4}[89ab]", 'u'))
  lease_id!: Schemas["LeaseRequest"]["lease_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["LeaseRequest"]["gateway_id"];

  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" })
  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["LeaseRequest"]["principal"];

  @ApiProperty({ type: "string", description: "The amount that the gateway wants; a smaller amount may be granted" })
  @rules.IsString()
  amount_usd!: Schemas["LeaseRequest"]["amount_usd"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 3600 })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(3600)
  ttl_seconds!: Schemas["LeaseRequest"]["ttl_seconds"];
}

/** The unused amount of a lease */
export class LeaseReturnDto {
  @ApiProperty({ type: "string", description: "The amount that no request will use. It excludes usage that the gateway has not reported yet" })
  @rules.IsString()
  unused_usd!: Schemas["LeaseReturn"]["unused_usd"];
}

/** A secret that connectors and identity providers refer to, without its value */
export class ManagedSecretDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ManagedSecret"]["id"];

  @ApiProperty({ type: "string", description: "Unique regardless of case and Unicode form" })
  @rules.IsString()
  name!: Schemas["ManagedSecret"]["name"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991, description: "Number of the value, from 1. Each update increments it" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["ManagedSecret"]["version"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ManagedSecret"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Time of the last new value" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ManagedSecret"]["updated_at"];
}

/** A new secret */
export class ManagedSecretCreateDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ManagedSecretCreate"]["name"];

  @ApiProperty({ type: "string", minLength: 1, description: "Stored encrypted and never returned. At most 64 KiB of UTF-8, otherwise 413" })
  @rules.IsString()
  @rules.MinLength(1)
  value!: Schemas["ManagedSecretCreate"]["value"];
}

/** Managed secrets in the order of their creation */
export class ManagedSecretPageDto {
  @ApiProperty({ isArray: true, type: () => ManagedSecretDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ManagedSecretDto)
  items!: Schemas["ManagedSecretPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ManagedSecretPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ManagedSecretPage"]["prev_cursor"];
}

/** The new value of a secret */
export class ManagedSecretUpdateDto {
  @ApiProperty({ type: "string", minLength: 1, description: "Stored encrypted and never returned. At most 64 KiB of UTF-8, otherwise 413" })
  @rules.IsString()
  @rules.MinLength(1)
  value!: Schemas["ManagedSecretUpdate"]["value"];
}

/** Rates of an OpenAI model, in US dollars per million tokens */
export class OpenaiRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  inputUsdPerMillion?: Schemas["OpenaiRates"]["inputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cachedInputUsdPerMillion?: Schemas["OpenaiRates"]["cachedInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  cacheWriteInputUsdPerMillion?: Schemas["OpenaiRates"]["cacheWriteInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioInputUsdPerMillion?: Schemas["OpenaiRates"]["audioInputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  outputUsdPerMillion?: Schemas["OpenaiRates"]["outputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Reasoning tokens. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  reasoningOutputUsdPerMillion?: Schemas["OpenaiRates"]["reasoningOutputUsdPerMillion"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  audioOutputUsdPerMillion?: Schemas["OpenaiRates"]["audioOutputUsdPerMillion"];

  @ApiProperty({ isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(20)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PromptSizeTierDto)
  promptSizeTiers?: Schemas["OpenaiRates"]["promptSizeTiers"];
}

export class OpenaiToolRatesDto {
  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Web searches", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  webSearchUsdPerThousand?: Schemas["OpenaiToolRates"]["webSearchUsdPerThousand"];

  @ApiProperty({ type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "File searches", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", 'u'))
  fileSearchUsdPerThousand?: Schemas["OpenaiToolRates"]["fileSearchUsdPerThousand"];
}

/** The usage of a budget of the caller or of a group of the caller in one window; for groups only sums */
export class OwnBudgetCellDto {
  @ApiProperty({ type: "string", enum: ["user","group"] })
  @rules.IsIn(["user","group"])
  scope!: Schemas["OwnBudgetCell"]["scope"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject_id!: Schemas["OwnBudgetCell"]["subject_id"];

  @ApiProperty({ type: "string", enum: ["day","month","year"] })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["OwnBudgetCell"]["period"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  limit_usd!: Schemas["OwnBudgetCell"]["limit_usd"];

  @ApiProperty({ type: "string", description: "Sum of the charges with an event in the window" })
  @rules.IsString()
  used_usd!: Schemas["OwnBudgetCell"]["used_usd"];

  @ApiProperty({ type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" })
  @rules.IsString()
  remaining_usd!: Schemas["OwnBudgetCell"]["remaining_usd"];

  @ApiProperty({ type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" })
  @rules.IsString()
  reserved_usd!: Schemas["OwnBudgetCell"]["reserved_usd"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["OwnBudgetCell"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["OwnBudgetCell"]["period_end"];

  @ApiProperty({ type: "boolean", description: "Whether the limit comes from the default user budget" })
  @rules.IsBoolean()
  on_default!: Schemas["OwnBudgetCell"]["on_default"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991, description: "Position of the payer among all payers. It is 1 for users, which pay first. Groups with a budget follow from 2 by precedence and id. A group has the same position in every list" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  ordinal!: Schemas["OwnBudgetCell"]["ordinal"];

  @ApiProperty({ type: "string", description: "Only for groups: the part of `used_usd` that the caller used", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  my_contribution_usd?: Schemas["OwnBudgetCell"]["my_contribution_usd"];
}

/** The caller’s own budget of one period, or the default user budget if it applies to the caller */
export class PersonalBudgetCardDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  limit_usd!: Schemas["PersonalBudgetCard"]["limit_usd"];

  @ApiProperty({ type: "string", description: "Sum of the charges with an event in the window" })
  @rules.IsString()
  used_usd!: Schemas["PersonalBudgetCard"]["used_usd"];

  @ApiProperty({ type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" })
  @rules.IsString()
  remaining_usd!: Schemas["PersonalBudgetCard"]["remaining_usd"];

  @ApiProperty({ type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" })
  @rules.IsString()
  reserved_usd!: Schemas["PersonalBudgetCard"]["reserved_usd"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_start!: Schemas["PersonalBudgetCard"]["period_start"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  period_end!: Schemas["PersonalBudgetCard"]["period_end"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The number of the caller’s own budgets in this card" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  budgets!: Schemas["PersonalBudgetCard"]["budgets"];
}

/** The budgets of the caller and of the caller’s groups */
export class OwnBudgetsSummaryDto {
  @ApiProperty({ type: "string", description: "The caller as budgets and charges name it" })
  @rules.IsString()
  subject!: Schemas["OwnBudgetsSummary"]["subject"];

  @ApiProperty({ isArray: true, type: () => OwnBudgetCellDto, description: "In the order in which they pay" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => OwnBudgetCellDto)
  budgets!: Schemas["OwnBudgetsSummary"]["budgets"];

  @ApiProperty({ type: () => PersonalBudgetCardDto, description: "Absent when the caller has no daily budget", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PersonalBudgetCardDto)
  day?: Schemas["OwnBudgetsSummary"]["day"];

  @ApiProperty({ type: () => PersonalBudgetCardDto, description: "Absent when the caller has no monthly budget", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PersonalBudgetCardDto)
  month?: Schemas["OwnBudgetsSummary"]["month"];
}

/** The caller’s own directory entry */
export class OwnProfileDto {
  @ApiProperty({ type: "string", description: "Issuer of the token; together with `subject` it identifies the caller" })
  @rules.IsString()
  issuer!: Schemas["OwnProfile"]["issuer"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject!: Schemas["OwnProfile"]["subject"];

  @ApiProperty({ isArray: true, type: "string", enum: ["admin","auditor","gateway","user"], description: "Roles of the token, sorted, as this service reads them; only `user` for a deactivated entry" })
  @rules.IsArray()
  @rules.IsIn(["admin","auditor","gateway","user"], { each: true })
  roles!: Schemas["OwnProfile"]["roles"];

  @ApiProperty({ type: "boolean", description: "Whether the directory has an active entry for the caller" })
  @rules.IsBoolean()
  active!: Schemas["OwnProfile"]["active"];

  @ApiProperty({ isArray: true, type: () => GroupDto, description: "Groups that contain the caller, directly or through subgroups; empty without an active entry" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GroupDto)
  groups!: Schemas["OwnProfile"]["groups"];

  @ApiProperty({ type: "string", format: "uuid", description: "Id of the directory entry. The id and the names are absent for a caller without an entry", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  id?: Schemas["OwnProfile"]["id"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  user_name?: Schemas["OwnProfile"]["user_name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["OwnProfile"]["display_name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  email?: Schemas["OwnProfile"]["email"];

  @ApiProperty({ type: "string", enum: ["config","scim","sign_in"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["config","scim","sign_in"])
  source?: Schemas["OwnProfile"]["source"];
}

/** Users whose activity has changed */
export class PeopleChangesDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Value of `after` in the next request" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["PeopleChanges"]["version"];

  @ApiProperty({ isArray: true, type: () => ChangedPersonDto, description: "Users that were deactivated, removed or activated, with their current state" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedPersonDto)
  people!: Schemas["PeopleChanges"]["people"];

  @ApiProperty({ isArray: true, type: () => ChangedBindingDto, description: "Entries without a subject that were deactivated, removed or activated before the first sign-in. Only the binding claim identifies them. `people` and `bindings` have at most 1000 members together" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChangedBindingDto)
  bindings!: Schemas["PeopleChanges"]["bindings"];

  @ApiProperty({ type: "boolean", description: "Whether groups of unlisted users may have changed" })
  @rules.IsBoolean()
  all!: Schemas["PeopleChanges"]["all"];

  @ApiProperty({ type: "boolean", description: "Whether `after` belongs to another database; then start again without it" })
  @rules.IsBoolean()
  reset!: Schemas["PeopleChanges"]["reset"];
}

/** An empty object */
export class PingDto {

}

/** Replaces the Cedar document */
export class PolicyDocumentWriteDto {
  @ApiProperty({ type: "string", description: "Cedar policies that pass strict validation against the schema of `GET /v1/policy-schema`: without compiled grants at most 64 KiB (else 413) and 250 policies" })
  @rules.IsString()
  document!: Schemas["PolicyDocumentWrite"]["document"];
}

/** Replaces the granted groups */
export class PolicyGroupsWriteDto {
  @ApiProperty({ isArray: true, type: "string", format: "uuid", description: "All groups with access to the connector" })
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids!: Schemas["PolicyGroupsWrite"]["group_ids"];
}

/** The schema that policies are validated against */
export class PolicySchemaDto {
  @ApiProperty({ type: "string", description: "The schema in the Cedar schema language" })
  @rules.IsString()
  schema!: Schemas["PolicySchema"]["schema"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Type of each claim of the token; policies read a claim as `principal.claim_<name>`" })
  @EveryValue((value) => ["String","Long","Bool","Set<String>"].includes(value as never))
  claims!: Schemas["PolicySchema"]["claims"];
}

/** A request to simulate */
export class PolicySimulationDto {
  @ApiProperty({ type: "string", format: "uuid", description: "A user of the directory, instead of `group_ids`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  user_id?: Schemas["PolicySimulation"]["user_id"];

  @ApiProperty({ isArray: true, type: "string", format: "uuid", description: "Groups of a hypothetical user, instead of `user_id`; the groups that contain them count too", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids?: Schemas["PolicySimulation"]["group_ids"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Claims of the token; also for `user_id`, which implies no claims", selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  claims?: Schemas["PolicySimulation"]["claims"];

  @ApiProperty({ type: "string", enum: ["connect","list_tools","call_tool","get_prompt","read_resource"] })
  @rules.IsIn(["connect","list_tools","call_tool","get_prompt","read_resource"])
  action!: Schemas["PolicySimulation"]["action"];

  @ApiProperty({ type: "string", maxLength: 8192, description: "Upstream name of the tool or prompt, or URI of the resource; refused for `connect` and `list_tools`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(8192)
  resource?: Schemas["PolicySimulation"]["resource"];

  @ApiProperty({ type: "string", description: "Cedar document to use instead of the policy", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  document?: Schemas["PolicySimulation"]["document"];
}

/** The outcome of a policy simulation */
export class PolicyVerdictDto {
  @ApiProperty({ type: "string", enum: ["allow","deny"] })
  @rules.IsIn(["allow","deny"])
  decision!: Schemas["PolicyVerdict"]["decision"];

  @ApiProperty({ isArray: true, type: "string", description: "Names of the policies that determined the decision: `@id`, or `policy<n>`; empty if no policy permits" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  policies!: Schemas["PolicyVerdict"]["policies"];

  @ApiProperty({ isArray: true, type: "string", description: "Errors of the evaluation; with errors the decision is `deny`" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  errors!: Schemas["PolicyVerdict"]["errors"];

  @ApiProperty({ isArray: true, type: "string", format: "uuid", description: "The groups of the user, with the groups that contain them" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  @rules.IsUUID('all', { each: true })
  group_ids!: Schemas["PolicyVerdict"]["group_ids"];
}

/** The service and its database are available */
export class PongDto {
  @ApiProperty({ type: "string", enum: ["ok"] })
  @rules.IsIn(["ok"])
  status!: Schemas["Pong"]["status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  time!: Schemas["Pong"]["time"];
}

/** The price of a model: exactly one of the three rate blocks */
export class PricingEntryDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 200, description: "The provider as gateways report it, or the provider of an alias" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(200)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["PricingEntry"]["provider"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 300, description: "The exact name of the model; it can contain slashes" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(300)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["PricingEntry"]["model"];

  @ApiProperty({ type: () => AnthropicRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicRatesDto)
  anthropic?: Schemas["PricingEntry"]["anthropic"];

  @ApiProperty({ type: () => OpenaiRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiRatesDto)
  openai?: Schemas["PricingEntry"]["openai"];

  @ApiProperty({ type: () => GoogleRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleRatesDto)
  google?: Schemas["PricingEntry"]["google"];
}

/** Prices of the tools that vendors run, by vendor, in US dollars per thousand calls. A tool without a price is free */
export class PricingToolRatesDto {
  @ApiProperty({ type: () => AnthropicToolRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicToolRatesDto)
  anthropic?: Schemas["PricingToolRates"]["anthropic"];

  @ApiProperty({ type: () => OpenaiToolRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiToolRatesDto)
  openai?: Schemas["PricingToolRates"]["openai"];

  @ApiProperty({ type: () => GoogleToolRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleToolRatesDto)
  google?: Schemas["PricingToolRates"]["google"];
}

/** The prices of models and of tools */
export class PricingSpecDto {
  @ApiProperty({ isArray: true, type: () => PricingEntryDto, description: "At most one entry for each model of a provider" })
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PricingEntryDto)
  entries!: Schemas["PricingSpec"]["entries"];

  @ApiProperty({ type: () => PricingToolRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingToolRatesDto)
  tools?: Schemas["PricingSpec"]["tools"];
}

/** The prices in effect */
export class PricingCatalogDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Time from which the catalog is in effect" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingCatalog"]["effective_from"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. A provider of an alias is no alias itself" })
  @EveryValue((value) => typeof value === "string")
  provider_aliases!: Schemas["PricingCatalog"]["provider_aliases"];

  @ApiProperty({ type: () => PricingSpecDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalog"]["spec"];
}

/** A version of the pricing catalog with its prices */
export class PricingCatalogVersionDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The `pricing_catalog_id` of charges" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["PricingCatalogVersion"]["id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingCatalogVersion"]["effective_from"];

  @ApiProperty({ type: "string", enum: ["baseline","operator"], description: "`baseline` is the catalog of a release; it is in effect until the first write of an operator" })
  @rules.IsIn(["baseline","operator"])
  source!: Schemas["PricingCatalogVersion"]["source"];

  @ApiProperty({ type: "string", enum: ["staged","in_effect","superseded","withdrawn"], description: "`withdrawn` was deleted while it was staged; it is not listed" })
  @rules.IsIn(["staged","in_effect","superseded","withdrawn"])
  state!: Schemas["PricingCatalogVersion"]["state"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["PricingCatalogVersion"]["created_at"];

  @ApiProperty({ type: "string", description: "The administrator who wrote it, as a `subject_id`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  created_by?: Schemas["PricingCatalogVersion"]["created_by"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of models with a price" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  entry_count!: Schemas["PricingCatalogVersion"]["entry_count"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. A provider of an alias is no alias itself" })
  @EveryValue((value) => typeof value === "string")
  provider_aliases!: Schemas["PricingCatalogVersion"]["provider_aliases"];

  @ApiProperty({ type: () => PricingSpecDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalogVersion"]["spec"];
}

/** A catalog that replaces all prices */
export class PricingCatalogWriteDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "A time in the future, with milliseconds at most, stages the catalog. Without it, or with that of the catalog in effect, the catalog has immediate effect", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from?: Schemas["PricingCatalogWrite"]["effective_from"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. A provider of an alias is no alias itself. Default: no aliases", selfRequired: false })
  @UnlessOneOf(undefined)
  @EveryValue((value) => typeof value === "string")
  provider_aliases?: Schemas["PricingCatalogWrite"]["provider_aliases"];

  @ApiProperty({ type: () => PricingSpecDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => PricingSpecDto)
  spec!: Schemas["PricingCatalogWrite"]["spec"];
}

/** The price of a model: exactly one of the three rate blocks, with at least an input and an output rate */
export class PricingEntryWriteDto {
  @ApiProperty({ type: () => AnthropicRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => AnthropicRatesDto)
  anthropic?: Schemas["PricingEntryWrite"]["anthropic"];

  @ApiProperty({ type: () => OpenaiRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => OpenaiRatesDto)
  openai?: Schemas["PricingEntryWrite"]["openai"];

  @ApiProperty({ type: () => GoogleRatesDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => GoogleRatesDto)
  google?: Schemas["PricingEntryWrite"]["google"];
}

/** A version of the pricing catalog. It never changes */
export class PricingVersionDto {
  @ApiProperty({ type: "string", format: "uuid", description: "The `pricing_catalog_id` of charges" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["PricingVersion"]["id"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  effective_from!: Schemas["PricingVersion"]["effective_from"];

  @ApiProperty({ type: "string", enum: ["baseline","operator"], description: "`baseline` is the catalog of a release; it is in effect until the first write of an operator" })
  @rules.IsIn(["baseline","operator"])
  source!: Schemas["PricingVersion"]["source"];

  @ApiProperty({ type: "string", enum: ["staged","in_effect","superseded","withdrawn"], description: "`withdrawn` was deleted while it was staged; it is not listed" })
  @rules.IsIn(["staged","in_effect","superseded","withdrawn"])
  state!: Schemas["PricingVersion"]["state"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["PricingVersion"]["created_at"];

  @ApiProperty({ type: "string", description: "The administrator who wrote it, as a `subject_id`", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  created_by?: Schemas["PricingVersion"]["created_by"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of models with a price" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  entry_count!: Schemas["PricingVersion"]["entry_count"];
}

/** Versions of the pricing catalog, the newest first */
export class PricingVersionPageDto {
  @ApiProperty({ isArray: true, type: () => PricingVersionDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => PricingVersionDto)
  items!: Schemas["PricingVersionPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["PricingVersionPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["PricingVersionPage"]["prev_cursor"];
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728) */
export class ProtectedResourceMetadataDto {
  @ApiProperty({ type: "string", description: "Identifier of this API. The `aud` of a token has this value or the audience of the deployment" })
  @rules.IsString()
  resource!: Schemas["ProtectedResourceMetadata"]["resource"];

  @ApiProperty({ isArray: true, type: "string", description: "Issuers whose access tokens are accepted" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  authorization_servers!: Schemas["ProtectedResourceMetadata"]["authorization_servers"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  bearer_methods_supported!: Schemas["ProtectedResourceMetadata"]["bearer_methods_supported"];

  @ApiProperty({ type: "string", description: "Keys for the verification of signatures of this API; absent if it does not sign", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  jwks_uri?: Schemas["ProtectedResourceMetadata"]["jwks_uri"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ProtectedResourceMetadata"]["scopes_supported"];

  @ApiProperty({ type: "string", description: "Name of this API" })
  @rules.IsString()
  resource_name!: Schemas["ProtectedResourceMetadata"]["resource_name"];

  @ApiProperty({ type: "string", description: "Address of the reference of this API" })
  @rules.IsString()
  resource_documentation!: Schemas["ProtectedResourceMetadata"]["resource_documentation"];
}

/** Selects the unpriced events to charge */
export class RechargeRequestDto {
  @ApiProperty({ type: "string", description: "Only events from this time on", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  from?: Schemas["RechargeRequest"]["from"];

  @ApiProperty({ type: "string", description: "Only events before this time", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  to?: Schemas["RechargeRequest"]["to"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The provider as reported", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider?: Schemas["RechargeRequest"]["provider"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model?: Schemas["RechargeRequest"]["model"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 1000, description: "Maximum number of events to charge; larger values count as 1000", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000)
  limit?: Schemas["RechargeRequest"]["limit"];
}

/** The charged events and the remaining ones */
export class RechargeResultDto {
  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  charged_count!: Schemas["RechargeResult"]["charged_count"];

  @ApiProperty({ type: "string", description: "The sum of the new charges" })
  @rules.IsString()
  charged_usd!: Schemas["RechargeResult"]["charged_usd"];

  @ApiProperty({ type: "string", format: "uuid", description: "The version of the pricing catalog that is in effect now and priced the events", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  pricing_catalog_id?: Schemas["RechargeResult"]["pricing_catalog_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Remaining events that have a price; the same request charges them" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  priceable_count!: Schemas["RechargeResult"]["priceable_count"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Remaining events without a price" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  unpriceable_count!: Schemas["RechargeResult"]["unpriceable_count"];
}

/** The time that a running request still needs */
export class ReservationExtendDto {
  @ApiProperty({ type: "integer", minimum: 1, maximum: 86400, description: "Seconds from now" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(86400)
  seconds!: Schemas["ReservationExtend"]["seconds"];
}

export class ResolvedKeyOwnerDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: NonNullable<Schemas["ResolvedKey"]["owner"]>["issuer"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject!: NonNullable<Schemas["ResolvedKey"]["owner"]>["subject"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: NonNullable<Schemas["ResolvedKey"]["owner"]>["user_id"];
}

/** A usable key and its owner */
export class ResolvedKeyDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  key_id!: Schemas["ResolvedKey"]["key_id"];

  @ApiProperty({ type: () => ResolvedKeyOwnerDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ResolvedKeyOwnerDto)
  owner!: Schemas["ResolvedKey"]["owner"];

  @ApiProperty({ isArray: true, type: "string", description: "Ids of all groups of the owner, directly or through subgroups" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  groups!: Schemas["ResolvedKey"]["groups"];

  @ApiProperty({ type: "string", enum: ["active"], description: "Any other status is 404" })
  @rules.IsIn(["active"])
  status!: Schemas["ResolvedKey"]["status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ResolvedKey"]["expires_at"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Increases with every change of the key" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  version!: Schemas["ResolvedKey"]["version"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "How long a gateway may use this response, counted from its request, minus `age_ms`" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  cache_seconds!: Schemas["ResolvedKey"]["cache_seconds"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991, description: "Maximum age of the data in this response, in milliseconds. A gateway may use the response until `cache_seconds` after its request, minus this age" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  age_ms!: Schemas["ResolvedKey"]["age_ms"];
}

/** The value of a secret for a gateway that sends it to an upstream */
export class RevealedSecretDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  value!: Schemas["RevealedSecret"]["value"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991, description: "Version of the value, as in the gateway snapshot" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  version!: Schemas["RevealedSecret"]["version"];
}

/** Why a SCIM request failed (RFC 7644 §3.12) */
export class ScimFailureDto {
  @ApiProperty({ isArray: true, type: "string", enum: ["urn:ietf:params:scim:api:messages:2.0:Error"] })
  @rules.IsArray()
  @rules.IsIn(["urn:ietf:params:scim:api:messages:2.0:Error"], { each: true })
  schemas!: Schemas["ScimFailure"]["schemas"];

  @ApiProperty({ type: "string", description: "The HTTP status as text" })
  @rules.IsString()
  status!: Schemas["ScimFailure"]["status"];

  @ApiProperty({ type: "string", enum: ["invalidFilter","tooMany","uniqueness","mutability","invalidSyntax","invalidPath","noTarget","invalidValue","invalidVers","sensitive"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["invalidFilter","tooMany","uniqueness","mutability","invalidSyntax","invalidPath","noTarget","invalidValue","invalidVers","sensitive"])
  scimType?: Schemas["ScimFailure"]["scimType"];

  @ApiProperty({ type: "string", description: "The reason, and what to do next" })
  @rules.IsString()
  detail!: Schemas["ScimFailure"]["detail"];
}

export class ScimGroupInputMembersDto {
  @ApiProperty({ type: "string", description: "Id of a user or group" })
  @rules.IsString()
  value!: NonNullable<NonNullable<Schemas["ScimGroupInput"]["members"]>[number]>["value"];

  @ApiProperty({ type: "string", enum: ["User","Group"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["User","Group"])
  type?: NonNullable<NonNullable<Schemas["ScimGroupInput"]["members"]>[number]>["type"];
}

/** A group (RFC 7643 §4.2). Members that the directory does not have are left out. */
export class ScimGroupInputDto {
  @ApiProperty({ isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimGroupInput"]["schemas"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  displayName!: Schemas["ScimGroupInput"]["displayName"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  externalId?: Schemas["ScimGroupInput"]["externalId"];

  @ApiProperty({ isArray: true, type: () => ScimGroupInputMembersDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimGroupInputMembersDto)
  members?: Schemas["ScimGroupInput"]["members"];
}

/** A SCIM resource (RFC 7643 §3) */
export class ScimResourceDto {
  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimResource"]["schemas"];
}

/** A page of SCIM resources (RFC 7644 §3.4.2) */
export class ScimListDto {
  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimList"]["schemas"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  totalResults!: Schemas["ScimList"]["totalResults"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  startIndex!: Schemas["ScimList"]["startIndex"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  itemsPerPage!: Schemas["ScimList"]["itemsPerPage"];

  @ApiProperty({ isArray: true, type: () => ScimResourceDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimResourceDto)
  Resources!: Schemas["ScimList"]["Resources"];
}

export class ScimPatchOperationsDto {
  @ApiProperty({ type: "string", description: "`add`, `remove` or `replace`, case-insensitive" })
  @rules.IsString()
  op!: NonNullable<NonNullable<Schemas["ScimPatch"]["Operations"]>[number]>["op"];

  @ApiProperty({ type: "string", description: "The attribute to change. A `remove` must have a path", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  path?: NonNullable<NonNullable<Schemas["ScimPatch"]["Operations"]>[number]>["path"];
}

/** Changes (RFC 7644 §3.5.2), also in the older forms that large identity providers send */
export class ScimPatchDto {
  @ApiProperty({ isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimPatch"]["schemas"];

  @ApiProperty({ isArray: true, type: () => ScimPatchOperationsDto, description: "The changes in order. An `add` or `replace` must have a `value`, of any type" })
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
  @ApiProperty({ type: "string", maxLength: 100000, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(100000)
  filter?: Schemas["ScimSearchRequest"]["filter"];

  @ApiProperty({ type: "string", maxLength: 100000, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(100000)
  sortBy?: Schemas["ScimSearchRequest"]["sortBy"];

  @ApiProperty({ type: "string", enum: ["ascending","descending"], description: "Case-insensitive", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["ascending","descending"])
  sortOrder?: Schemas["ScimSearchRequest"]["sortOrder"];

  @ApiProperty({ type: "integer", minimum: -999999999, maximum: 999999999, required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-999999999)
  @rules.Max(999999999)
  startIndex?: Schemas["ScimSearchRequest"]["startIndex"];

  @ApiProperty({ type: "integer", minimum: -999999999, maximum: 999999999, required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-999999999)
  @rules.Max(999999999)
  count?: Schemas["ScimSearchRequest"]["count"];

  @ApiProperty({ oneOf: [{"type":"string"}, {"type":"array"}], required: false })
  @UnlessOneOf(undefined)
  @AnyOf((value) => typeof value === "string", (value) => Array.isArray(value))
  attributes?: Schemas["ScimSearchRequest"]["attributes"];

  @ApiProperty({ oneOf: [{"type":"string"}, {"type":"array"}], required: false })
  @UnlessOneOf(undefined)
  @AnyOf((value) => typeof value === "string", (value) => Array.isArray(value))
  excludedAttributes?: Schemas["ScimSearchRequest"]["excludedAttributes"];
}

export class ScimTokenCreatedByDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: NonNullable<Schemas["ScimToken"]["created_by"]>["issuer"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject!: NonNullable<Schemas["ScimToken"]["created_by"]>["subject"];
}

/** A static bearer token for SCIM, for one issuer */
export class ScimTokenDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ScimToken"]["id"];

  @ApiProperty({ type: "string", description: "Id of the issuer whose users and groups the token provisions" })
  @rules.IsString()
  issuer_id!: Schemas["ScimToken"]["issuer_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["ScimToken"]["name"];

  @ApiProperty({ type: "string", enum: ["active","expired","revoked"] })
  @rules.IsIn(["active","expired","revoked"])
  state!: Schemas["ScimToken"]["state"];

  @ApiProperty({ type: "string", format: "uri", description: "Base URL for the provisioning client" })
  @rules.IsString()
  scim_url!: Schemas["ScimToken"]["scim_url"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["ScimToken"]["previous_secret_valid_until"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimToken"]["expires_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  revoked_at?: Schemas["ScimToken"]["revoked_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Updated at most once a minute", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["ScimToken"]["last_used_at"];

  @ApiProperty({ type: () => ScimTokenCreatedByDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ScimTokenCreatedByDto)
  created_by!: Schemas["ScimToken"]["created_by"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ScimToken"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ScimToken"]["updated_at"];
}

/** A new SCIM token */
export class ScimTokenCreateDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 63, description: "`id` of a configured issuer" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(63)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  issuer_id!: Schemas["ScimTokenCreate"]["issuer_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Display name; it need not be unique" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(128)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name!: Schemas["ScimTokenCreate"]["name"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Default: the token does not expire", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimTokenCreate"]["expires_at"];
}

/** SCIM tokens in the order of their creation, also revoked ones */
export class ScimTokenPageDto {
  @ApiProperty({ isArray: true, type: () => ScimTokenDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ScimTokenDto)
  items!: Schemas["ScimTokenPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ScimTokenPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ScimTokenPage"]["prev_cursor"];
}

export class ScimTokenWithSecretCreatedByDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  issuer!: NonNullable<Schemas["ScimTokenWithSecret"]["created_by"]>["issuer"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  subject!: NonNullable<Schemas["ScimTokenWithSecret"]["created_by"]>["subject"];
}

/** A SCIM token and its new secret */
export class ScimTokenWithSecretDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ScimTokenWithSecret"]["id"];

  @ApiProperty({ type: "string", description: "Id of the issuer whose users and groups the token provisions" })
  @rules.IsString()
  issuer_id!: Schemas["ScimTokenWithSecret"]["issuer_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["ScimTokenWithSecret"]["name"];

  @ApiProperty({ type: "string", enum: ["active","expired","revoked"] })
  @rules.IsIn(["active","expired","revoked"])
  state!: Schemas["ScimTokenWithSecret"]["state"];

  @ApiProperty({ type: "string", format: "uri", description: "Base URL for the provisioning client" })
  @rules.IsString()
  scim_url!: Schemas["ScimTokenWithSecret"]["scim_url"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  previous_secret_valid_until?: Schemas["ScimTokenWithSecret"]["previous_secret_valid_until"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  expires_at?: Schemas["ScimTokenWithSecret"]["expires_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  revoked_at?: Schemas["ScimTokenWithSecret"]["revoked_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Updated at most once a minute", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at?: Schemas["ScimTokenWithSecret"]["last_used_at"];

  @ApiProperty({ type: () => ScimTokenWithSecretCreatedByDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ScimTokenWithSecretCreatedByDto)
  created_by!: Schemas["ScimTokenWithSecret"]["created_by"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["ScimTokenWithSecret"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at!: Schemas["ScimTokenWithSecret"]["updated_at"];

  @ApiProperty({ type: "string", description: "The whole token, `ghscim_…`. No other response contains it" })
  @rules.IsString()
  secret!: Schemas["ScimTokenWithSecret"]["secret"];
}

/** A user (RFC 7643 §4.1). Unknown attributes are ignored. */
export class ScimUserInputDto {
  @ApiProperty({ isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" })
  @rules.IsArray()
  @rules.ArrayMinSize(1)
  @rules.IsString({ each: true })
  schemas!: Schemas["ScimUserInput"]["schemas"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  userName!: Schemas["ScimUserInput"]["userName"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  externalId?: Schemas["ScimUserInput"]["externalId"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  displayName?: Schemas["ScimUserInput"]["displayName"];

  @ApiProperty({ type: "boolean", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  active?: Schemas["ScimUserInput"]["active"];

  @ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  name?: Schemas["ScimUserInput"]["name"];

  @ApiProperty({ isArray: true, type: 'object', additionalProperties: true, selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  emails?: Schemas["ScimUserInput"]["emails"];
}

/** A key that signs configuration envelopes and checkpoints, without its private key */
export class SigningKeyDto {
  @ApiProperty({ type: "string", description: "The id of the key in the key set" })
  @rules.IsString()
  kid!: Schemas["SigningKey"]["kid"];

  @ApiProperty({ type: "string", enum: ["next","current","previous"], description: "`next` is in the key set and does not sign yet, `current` signs, `previous` only verifies" })
  @rules.IsIn(["next","current","previous"])
  state!: Schemas["SigningKey"]["state"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the key was added to the key set" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["SigningKey"]["created_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the key began to sign", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  activated_at?: Schemas["SigningKey"]["activated_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the key stopped signing", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  retired_at?: Schemas["SigningKey"]["retired_at"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the key leaves the key set", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  shown_until?: Schemas["SigningKey"]["shown_until"];
}

/** The keys of the key set */
export class SigningKeyListDto {
  @ApiProperty({ isArray: true, type: () => SigningKeyDto, description: "The next key, the current key, then previous keys, newest first" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => SigningKeyDto)
  keys!: Schemas["SigningKeyList"]["keys"];
}

/** Tool calls, newest first */
export class ToolCallActivityDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["ToolCallActivity"]["figures_of"];

  @ApiProperty({ isArray: true, type: () => ToolCallDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallDto)
  records!: Schemas["ToolCallActivity"]["records"];

  @ApiProperty({ type: "string", description: "Continues with older records", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ToolCallActivity"]["next_cursor"];

  @ApiProperty({ type: "string", description: "Continues with newer records", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ToolCallActivity"]["prev_cursor"];
}

export class ToolCallRecordGroupsDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  id!: NonNullable<NonNullable<Schemas["ToolCallRecord"]["groups"]>[number]>["id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  name?: NonNullable<NonNullable<Schemas["ToolCallRecord"]["groups"]>[number]>["name"];
}

/** A tool call as a gateway reports it */
export class ToolCallRecordDto {
  @ApiProperty({ type: "string", format: "uuid", description: "UUID v7 of the gateway. A record is stored once, also if it is delivered repeatedly" })
  @rules.IsString()
  @rules.IsUUID('all')
  call_id!: Schemas["ToolCallRecord"]["call_id"];

  @ApiProperty({ type: "string", format: "date-time", description: "Time of the call. A record with a future time, or older than TOOL_CALL_RETENTION_DAYS, is rejected" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  occurred_at!: Schemas["ToolCallRecord"]["occurred_at"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, description: "If present, the gateway of the path", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id?: Schemas["ToolCallRecord"]["gateway_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, description: "Default is the environment of the enterprise manager", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  environment?: Schemas["ToolCallRecord"]["environment"];

  @ApiProperty({ type: "string", pattern: "^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", 'u'))
  connector_id?: Schemas["ToolCallRecord"]["connector_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  connector_name?: Schemas["ToolCallRecord"]["connector_name"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  tool_name!: Schemas["ToolCallRecord"]["tool_name"];

  @ApiProperty({ type: "string", pattern: "^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", 'u'))
  user_id?: Schemas["ToolCallRecord"]["user_id"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 320, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(320)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  user_email?: Schemas["ToolCallRecord"]["user_email"];

  @ApiProperty({ isArray: true, type: () => ToolCallRecordGroupsDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.ArrayMaxSize(5000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallRecordGroupsDto)
  groups?: Schemas["ToolCallRecord"]["groups"];

  @ApiProperty({ type: "string", enum: ["allowed","denied","unspecified"] })
  @rules.IsIn(["allowed","denied","unspecified"])
  decision!: Schemas["ToolCallRecord"]["decision"];

  @ApiProperty({ type: "string", enum: ["ok","error","unspecified"] })
  @rules.IsIn(["ok","error","unspecified"])
  outcome!: Schemas["ToolCallRecord"]["outcome"];

  @ApiProperty({ type: "string", enum: ["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"] })
  @rules.IsIn(["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"])
  category!: Schemas["ToolCallRecord"]["category"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  billable!: Schemas["ToolCallRecord"]["billable"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  billable_reason?: Schemas["ToolCallRecord"]["billable_reason"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 64, required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.MaxLength(64)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  definition_version?: Schemas["ToolCallRecord"]["definition_version"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 2147483647, required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(2147483647)
  duration_ms?: Schemas["ToolCallRecord"]["duration_ms"];

  @ApiProperty({ type: "string", pattern: "^(?:[0-9a-f]{64})?$", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:[0-9a-f]{64})?$", 'u'))
  arguments_sha256?: Schemas["ToolCallRecord"]["arguments_sha256"];
}

/** Records of tool calls */
export class ToolCallBatchDto {
  @ApiProperty({ isArray: true, type: () => ToolCallRecordDto, description: "An invalid record is rejected alone" })
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallRecordDto)
  calls!: Schemas["ToolCallBatch"]["calls"];
}

export class ToolCallReceiptDto {
  @ApiProperty({ type: "string", enum: ["stored","duplicate","rejected"] })
  @rules.IsIn(["stored","duplicate","rejected"])
  status!: Schemas["ToolCallReceipt"]["status"];

  @ApiProperty({ type: "string", description: "The reason of a rejection, or the note that a duplicate differs from the stored record", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["ToolCallReceipt"]["error"];
}

/** One result for each record */
export class ToolCallReceiptsDto {
  @ApiProperty({ isArray: true, type: () => ToolCallReceiptDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolCallReceiptDto)
  results!: Schemas["ToolCallReceipts"]["results"];
}

/** A connector and the number of its calls */
export class TopConnectorDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["TopConnector"]["connector_id"];

  @ApiProperty({ type: "string", description: "The current name, or for a removed connector the name in its last record" })
  @rules.IsString()
  connector_name!: Schemas["TopConnector"]["connector_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["TopConnector"]["tool_call_count"];
}

/** Connectors, the most called first */
export class TopConnectorsDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["TopConnectors"]["figures_of"];

  @ApiProperty({ isArray: true, type: () => TopConnectorDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => TopConnectorDto)
  connectors!: Schemas["TopConnectors"]["connectors"];
}

/** A tool and the number of its calls */
export class TopToolDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["TopTool"]["connector_id"];

  @ApiProperty({ type: "string", description: "The current name, or for a removed connector the name in its last record" })
  @rules.IsString()
  connector_name!: Schemas["TopTool"]["connector_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["TopTool"]["tool_call_count"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  tool_name!: Schemas["TopTool"]["tool_name"];
}

/** Tools, the most called first */
export class TopToolsDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["TopTools"]["figures_of"];

  @ApiProperty({ isArray: true, type: () => TopToolDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => TopToolDto)
  tools!: Schemas["TopTools"]["tools"];
}

/** The usage of one attempt of a request */
@ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)
export class UsageReportDto {
  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  interaction_id!: Schemas["UsageReport"]["interaction_id"];

  @ApiProperty({ type: "integer", minimum: 1, maximum: 1000000000, description: "Number of the attempt; each attempt of an interaction is charged once" })
  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(1000000000)
  attempt!: Schemas["UsageReport"]["attempt"];

  @ApiProperty({ type: "string", format: "uuid", description: "Id of the admission, or of the lease from which the request draws", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["UsageReport"]["reservation_id"];

  @ApiProperty({ type: "string", format: "date-time", description: "The `admitted_at` of the admission, otherwise the start of the request. An admitted attempt is always charged at the time of its admission" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  event_time!: Schemas["UsageReport"]["event_time"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  gateway_id!: Schemas["UsageReport"]["gateway_id"];

  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" })
  @AnyOf((value) => isValid(PersonPrincipalDto, value), (value) => isValid(KeyPrincipalDto, value))
  principal!: Schemas["UsageReport"]["principal"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(256)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  provider!: Schemas["UsageReport"]["provider"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  route!: Schemas["UsageReport"]["route"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  requested_model!: Schemas["UsageReport"]["requested_model"];

  @ApiProperty({ type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model that served the request; its price is looked up by this name" })
  @rules.IsString()
  @rules.MinLength(1)
  @rules.MaxLength(512)
  @rules.Matches(new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", 'u'))
  model!: Schemas["UsageReport"]["model"];

  @ApiProperty({ type: "string", enum: ["delivered","client_disconnect","upstream_error","blocked_downstream"] })
  @rules.IsIn(["delivered","client_disconnect","upstream_error","blocked_downstream"])
  outcome!: Schemas["UsageReport"]["outcome"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 999, description: "0 if the upstream did not answer" })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(999)
  upstream_status!: Schemas["UsageReport"]["upstream_status"];

  @ApiProperty({ type: "integer", minimum: 0, maximum: 2147483647 })
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(2147483647)
  duration_ms!: Schemas["UsageReport"]["duration_ms"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The vendor’s own usage object, stored byte for byte with any keys; of a repeated key the last value counts. At most 64 KiB of JSON text and 2,000 values, otherwise the item is rejected. Null if the vendor sent none", nullable: true })
  @UnlessOneOf(null)
  @rules.IsObject()
  raw_usage!: Schemas["UsageReport"]["raw_usage"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The gateway’s own counts, in the same form and with the same limits; used if `raw_usage` is null", selfRequired: false, nullable: true })
  @UnlessOneOf(undefined, null)
  @rules.IsObject()
  estimated_usage?: Schemas["UsageReport"]["estimated_usage"];
}

/** Usage reports of a gateway */
export class UsageBatchDto {
  @ApiProperty({ isArray: true, type: () => UsageReportDto, description: "An invalid report is rejected alone" })
  @rules.IsArray()
  @rules.ArrayMaxSize(1000)
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageReportDto)
  events!: Schemas["UsageBatch"]["events"];
}

/** The number of calls in a bucket; the breakdown adds up to it */
export class UsageBucketDto {
  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  bucket_start!: Schemas["UsageBucket"]["bucket_start"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsageBucket"]["tool_call_count"];

  @ApiProperty({ isArray: true, type: () => DimensionCountDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => DimensionCountDto)
  breakdown!: Schemas["UsageBucket"]["breakdown"];
}

/** One request to a model */
export class UsageEventDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["UsageEvent"]["id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  interaction_id!: Schemas["UsageEvent"]["interaction_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  attempt!: Schemas["UsageEvent"]["attempt"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the request was admitted" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  event_time!: Schemas["UsageEvent"]["event_time"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the report arrived" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  ingest_time!: Schemas["UsageEvent"]["ingest_time"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  gateway_id!: Schemas["UsageEvent"]["gateway_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  auth_issuer!: Schemas["UsageEvent"]["auth_issuer"];

  @ApiProperty({ type: "string", description: "Owner reference of the user that made the request" })
  @rules.IsString()
  auth_subject!: Schemas["UsageEvent"]["auth_subject"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  platform_user_id?: Schemas["UsageEvent"]["platform_user_id"];

  @ApiProperty({ isArray: true, type: "string", description: "Ids of the groups of the user at the time of the report" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  platform_groups!: Schemas["UsageEvent"]["platform_groups"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  virtual_key_id?: Schemas["UsageEvent"]["virtual_key_id"];

  @ApiProperty({ type: "string", format: "uuid", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  reservation_id?: Schemas["UsageEvent"]["reservation_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  provider!: Schemas["UsageEvent"]["provider"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  route!: Schemas["UsageEvent"]["route"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  requested_model!: Schemas["UsageEvent"]["requested_model"];

  @ApiProperty({ type: "string", description: "The model that served" })
  @rules.IsString()
  model!: Schemas["UsageEvent"]["model"];

  @ApiProperty({ type: "string", enum: ["delivered","blocked_downstream","client_disconnect","upstream_error"] })
  @rules.IsIn(["delivered","blocked_downstream","client_disconnect","upstream_error"])
  outcome!: Schemas["UsageEvent"]["outcome"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  upstream_status!: Schemas["UsageEvent"]["upstream_status"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  duration_ms!: Schemas["UsageEvent"]["duration_ms"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The usage object of the provider, byte for byte; in NDJSON a space replaces each of its line breaks", selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  raw_usage?: Schemas["UsageEvent"]["raw_usage"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "The estimate of the gateway for a request without a usage object", selfRequired: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  estimated_usage?: Schemas["UsageEvent"]["estimated_usage"];
}

/** Usage events, newest first */
export class UsageEventsPageDto {
  @ApiProperty({ isArray: true, type: () => UsageEventDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageEventDto)
  events!: Schemas["UsageEventsPage"]["events"];

  @ApiProperty({ type: "string", description: "Continues with older events", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UsageEventsPage"]["next_cursor"];
}

/** Records in the order of their arrival, in hash chains that a reader can verify */
export class UsageExportDto {
  @ApiProperty({ isArray: true, type: () => ExportedToolCallDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ExportedToolCallDto)
  records!: Schemas["UsageExport"]["records"];

  @ApiProperty({ isArray: true, type: () => IntegrityCheckpointDto, description: "Checkpoints of records on this page, always with the last record of each chain; empty if the service has no signing key" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => IntegrityCheckpointDto)
  checkpoints!: Schemas["UsageExport"]["checkpoints"];

  @ApiProperty({ type: () => ChainHeadDto, description: "Only on the newest page of an export without a filter: proves that no later record is missing", required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ChainHeadDto)
  head?: Schemas["UsageExport"]["head"];

  @ApiProperty({ isArray: true, type: () => ChainStartDto, description: "Chains that begin on this page; only in an export without a filter", required: false })
  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ChainStartDto)
  chain_starts?: Schemas["UsageExport"]["chain_starts"];

  @ApiProperty({ type: "string", description: "Continues with the next page; absent on the last page", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UsageExport"]["next_cursor"];

  @ApiProperty({ type: "string", description: "Continues after this page, also if there is no later record yet" })
  @rules.IsString()
  resume_cursor!: Schemas["UsageExport"]["resume_cursor"];
}

export class UsageReceiptDto {
  @ApiProperty({ type: "string", enum: ["charged","duplicate","conflict","unpriceable","rejected"], description: "`duplicate`: reported before with the same content. `conflict`: reported before with other content; the first report stays. `unpriceable`: stored without a charge, because the model has no price" })
  @rules.IsIn(["charged","duplicate","conflict","unpriceable","rejected"])
  status!: Schemas["UsageReceipt"]["status"];

  @ApiProperty({ type: "string", format: "uuid", description: "For a repeated report, the event of the first report; absent if another gateway reported the attempt first", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsUUID('all')
  event_id?: Schemas["UsageReceipt"]["event_id"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  charged_usd?: Schemas["UsageReceipt"]["charged_usd"];

  @ApiProperty({ type: "string", enum: ["reported","estimated","none"], description: "The usage by which the charge was computed", required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["reported","estimated","none"])
  basis?: Schemas["UsageReceipt"]["basis"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  error?: Schemas["UsageReceipt"]["error"];
}

/** One result for each report */
export class UsageReceiptsDto {
  @ApiProperty({ isArray: true, type: () => UsageReceiptDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageReceiptDto)
  results!: Schemas["UsageReceipts"]["results"];
}

/** The number of calls and of the users that made them */
export class UsageSummaryDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UsageSummary"]["figures_of"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Users that called a tool" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  active_user_count!: Schemas["UsageSummary"]["active_user_count"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Allowed and denied calls" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UsageSummary"]["tool_call_count"];
}

/** Calls over time */
export class UsageTimeSeriesDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UsageTimeSeries"]["figures_of"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Width of a bucket; buckets start at multiples of it since 1970-01-01 UTC" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["UsageTimeSeries"]["bucket_width_seconds"];

  @ApiProperty({ type: "string", enum: ["environment","tool","decision","connector"], required: false })
  @UnlessOneOf(undefined)
  @rules.IsIn(["environment","tool","decision","connector"])
  dimension?: Schemas["UsageTimeSeries"]["dimension"];

  @ApiProperty({ isArray: true, type: () => UsageBucketDto, description: "All buckets that the range touches, without gaps. An open range begins or ends with the first or last call" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsageBucketDto)
  buckets!: Schemas["UsageTimeSeries"]["buckets"];
}

/** The limit of a user for one period */
export class UserBudgetWriteDto {
  @ApiProperty({ type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" })
  @rules.IsString()
  @rules.Matches(new RegExp("^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", 'u'))
  limit_usd!: Schemas["UserBudgetWrite"]["limit_usd"];

  @ApiProperty({ type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" })
  @rules.IsIn(["day","month","year"])
  period!: Schemas["UserBudgetWrite"]["period"];
}

/** The calls of a user to one tool */
export class UserToolUsageDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  tool_name!: Schemas["UserToolUsage"]["tool_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserToolUsage"]["tool_call_count"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity!: Schemas["UserToolUsage"]["last_activity"];
}

/** The calls of a user to one connector */
export class UserConnectorUsageDto {
  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["UserConnectorUsage"]["connector_id"];

  @ApiProperty({ type: "string", description: "The current name, or for a removed connector the name in its last record" })
  @rules.IsString()
  connector_name!: Schemas["UserConnectorUsage"]["connector_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserConnectorUsage"]["tool_call_count"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity!: Schemas["UserConnectorUsage"]["last_activity"];

  @ApiProperty({ isArray: true, type: () => UserToolUsageDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserToolUsageDto)
  tools!: Schemas["UserConnectorUsage"]["tools"];
}

/** Users in the order of their creation */
export class UserPageDto {
  @ApiProperty({ isArray: true, type: () => UserDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserDto)
  items!: Schemas["UserPage"]["items"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["UserPage"]["next_cursor"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["UserPage"]["prev_cursor"];
}

/** The calls of a user */
export class UserUsageDto {
  @ApiProperty({ type: () => FiguresOfDto })
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => FiguresOfDto)
  figures_of!: Schemas["UserUsage"]["figures_of"];

  @ApiProperty({ type: "string", format: "uuid" })
  @rules.IsString()
  @rules.IsUUID('all')
  user_id!: Schemas["UserUsage"]["user_id"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  tool_call_count!: Schemas["UserUsage"]["tool_call_count"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "Time of the last call; absent without calls", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_activity?: Schemas["UserUsage"]["last_activity"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  bucket_width_seconds!: Schemas["UserUsage"]["bucket_width_seconds"];

  @ApiProperty({ isArray: true, type: () => UsagePointDto, description: "All buckets of the range, including those without calls" })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UsagePointDto)
  series!: Schemas["UserUsage"]["series"];

  @ApiProperty({ isArray: true, type: () => UserConnectorUsageDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => UserConnectorUsageDto)
  connectors!: Schemas["UserUsage"]["connectors"];
}
