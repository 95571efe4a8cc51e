// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty, type ApiPropertyOptions, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import {
  AdmissionAnswerPayerDto,
  AdmissionAnswerDto,
  PersonPrincipalDto,
  KeyPrincipalDto,
  UsageEstimateDto,
  AdmissionRequestDto,
  PromptSizeTierDto,
  AnthropicRatesDto,
  AnthropicToolRatesDto,
  AuditEventDto,
  AuditEventPageDto,
  RoleMappingDto,
  AwsStsAuthDto,
  AwsStsAuthWriteDto,
  KubernetesSecretRefDto,
  SecretRefDto,
  BearerTokenAuthWriteDto,
  BooleanDirectiveDto,
  BreakdownEntryDto,
  BudgetAlertDto,
  BudgetAlertDeliveryAttemptsDto,
  BudgetAlertDeliveryDto,
  BudgetAlertDeliveryPageDto,
  BudgetAlertPageDto,
  BudgetAlertWithSecretDto,
  BudgetAlertWriteDto,
  BudgetBreakdownDto,
  BudgetCellDto,
  BudgetCellsPageDto,
  BudgetSpecDto,
  BudgetCollectionDto,
  BudgetDenialDto,
  BudgetDenialsPageDto,
  BudgetSliceDto,
  CaCertificateSettingsDto,
  CaCertificateDirectiveDto,
  ChainHeadDto,
  ChainStartDto,
  ChangedBindingDto,
  ChangedKeyDto,
  ChangedPersonDto,
  ChangedUserDto,
  ChargeDto,
  ChargesPageDto,
  ClearedConnectionDto,
  ClientBootstrapDiscoveryDto,
  RegistrySettingsDto,
  RegistryDirectiveDto,
  TelemetrySettingsDto,
  TelemetryDirectiveDto,
  GatewaySettingsDto,
  GatewayDirectiveDto,
  DegradedModeDto,
  EnterpriseConfigDto,
  ClientConfigOverrideDto,
  ClientConfigDto,
  DegradedModeStateDto,
  ConfigEnvelopeDto,
  ConnectionDto,
  ConnectionCreateDto,
  ConnectionEnabledWriteDto,
  ConnectionPageDto,
  ObservedConnectionStatusDto,
  ConnectionStatusBatchDto,
  ConnectionStatusReceiptDto,
  ConnectionStatusReceiptsDto,
  ConnectionToolPolicyWriteDto,
  HeaderInjectionAuthDto,
  UpstreamInjectAuthDto,
  TokenExchangeAuthDto,
  OboAuthDto,
  XaaAuthDto,
  ConnectorAuthDto,
  ConnectorDto,
  HeaderInjectionAuthWriteDto,
  UpstreamInjectAuthWriteDto,
  TokenExchangeAuthWriteDto,
  OboAuthWriteDto,
  XaaAuthWriteDto,
  ConnectorAuthWriteDto,
  ConnectorContentControlsDto,
  GatewayLimitsDto,
  GatewayContentControlsDto,
  ConnectorLimitsDto,
  ConnectorSettingsDto,
  ConnectorGatewaySettingsDto,
  DynamicRegistrationConfigDto,
  OidcConfigDto,
  Oauth2ConfigDto,
  ProviderDiscoveryDto,
  ConnectorIdentityProviderDto,
  ConnectorIdentityProviderPageDto,
  ConnectorIdentityProviderWriteDto,
  ConnectorPageDto,
  GroupRefDto,
  ConnectorPolicyDto,
  ConnectorRefDto,
  FiguresOfDto,
  UsagePointDto,
  GroupUsageSeriesDto,
  ConnectorUsageDto,
  ConnectorWriteDto,
  SpendBucketDto,
  DailySpendSeriesDto,
  DefaultUserBudgetDto,
  DimensionCountDto,
  DiscoveredServerDto,
  DiscoveredServerAdmissionDto,
  DiscoveredServersDto,
  EntitledConnectionDto,
  EntitlementChangesDto,
  EntitlementsDto,
  EntityMetadataDto,
  ToolCallDto,
  ExportedToolCallDto,
  ExtendedReservationDto,
  FailureBodyDto,
  OpenaiRatesDto,
  GoogleRatesDto,
  PricingEntryDto,
  OpenaiToolRatesDto,
  GoogleToolRatesDto,
  PricingToolRatesDto,
  PricingSpecDto,
  GatewayPriceListDto,
  SnapshotConnectorAuthHeaderInjectionDto,
  SecretVersionDto,
  SnapshotConnectorAuthDto,
  SnapshotIdentityProviderSecretsDto,
  SnapshotIdentityProviderDto,
  SnapshotConnectorDto,
  SnapshotPolicyDto,
  GatewaySnapshotLimitsDto,
  GatewaySnapshotDto,
  GroupMemberDto,
  GroupDto,
  GroupBudgetWriteDto,
  GroupCreateDto,
  UserDto,
  GroupMembersDto,
  GroupPageDto,
  GroupPatchDto,
  IntegrityCheckpointDto,
  JWKSDto,
  KeyChangesDto,
  KeyCreateDto,
  KeyEncryptionVersionDto,
  KeyEncryptionStatusDto,
  VirtualKeyDto,
  KeyListDto,
  KeyResolveDto,
  KeyWithSecretDto,
  LeaseAnswerPayerDto,
  LeaseAnswerDto,
  LeaseRequestDto,
  LeaseReturnDto,
  ManagedSecretDto,
  ManagedSecretCreateDto,
  ManagedSecretPageDto,
  ManagedSecretUpdateDto,
  OwnBudgetCellDto,
  PersonalBudgetCardDto,
  OwnBudgetsSummaryDto,
  OwnProfileDto,
  OwnerClaimsDto,
  PeopleChangesDto,
  PingDto,
  PolicyDocumentWriteDto,
  PolicyGroupsWriteDto,
  PolicySchemaDto,
  PolicySimulationDto,
  PolicyVerdictDto,
  PongDto,
  PricingCatalogDto,
  PricingCatalogVersionDto,
  PricingCatalogWriteDto,
  PricingEntryWriteDto,
  PricingVersionDto,
  PricingVersionPageDto,
  ProtectedResourceMetadataDto,
  RechargeRequestDto,
  RechargeResultDto,
  ReservationExtendDto,
  ResolvedKeyOwnerDto,
  ResolvedKeyDto,
  RevealedSecretDto,
  ScimFailureDto,
  ScimGroupInputMembersDto,
  ScimGroupInputDto,
  ScimResourceDto,
  ScimListDto,
  ScimPatchOperationsDto,
  ScimPatchDto,
  ScimSearchRequestDto,
  ScimTokenCreatedByDto,
  ScimTokenDto,
  ScimTokenCreateDto,
  ScimTokenPageDto,
  ScimTokenWithSecretCreatedByDto,
  ScimTokenWithSecretDto,
  ScimUserInputDto,
  SigningKeyDto,
  SigningKeyListDto,
  ToolCallActivityDto,
  ToolCallRecordGroupsDto,
  ToolCallRecordDto,
  ToolCallBatchDto,
  ToolCallReceiptDto,
  ToolCallReceiptsDto,
  TopConnectorDto,
  TopConnectorsDto,
  TopToolDto,
  TopToolsDto,
  UsageReportDto,
  UsageBatchDto,
  UsageBucketDto,
  UsageEventDto,
  UsageEventsPageDto,
  UsageExportDto,
  UsageReceiptDto,
  UsageReceiptsDto,
  UsageSummaryDto,
  UsageTimeSeriesDto,
  UserBudgetWriteDto,
  UserToolUsageDto,
  UserConnectorUsageDto,
  UserPageDto,
  UserUsageDto,
} from './validation.ts';

export * from './validation.ts';

/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}

describeMembers(AdmissionAnswerPayerDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
});
describeMembers(AdmissionAnswerDto, {
  decision: { type: "string", enum: ["admitted","denied"] },
  reason: { type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"], description: "Why the request is denied, for the gateway and its log. Only gateways themselves use `model_not_granted`; this operation never returns it", required: false },
  message: { type: "string", description: "A message for the client of the gateway; it is the same for all reasons of a denial", required: false },
  reservation_id: { type: "string", format: "uuid", required: false },
  admitted_at: { type: "string", format: "date-time", pattern: "Z$", description: "The time of the decision, which is the `event_time` of the usage" },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", description: "The time at which the reservation ends unless it is extended", required: false },
  payer: { type: () => AdmissionAnswerPayerDto, description: "The payer whose budget is charged; absent when no budget applies and spending is unlimited", required: false },
  reserved_usd: { type: "string", description: "Reserved amount in USD; 0 when no budget applies, because nothing is reserved then", required: false },
  pricing_catalog_id: { type: "string", format: "uuid", description: "The version of the pricing catalog that applies to this request until its end", required: false },
});
describeMembers(PersonPrincipalDto, {
  issuer: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  subject: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255 },
});
describeMembers(KeyPrincipalDto, {
  virtual_key_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 64 },
});
describeMembers(UsageEstimateDto, {
  prompt_tokens: { type: "integer", minimum: 0, maximum: 1000000000 },
  max_output_tokens: { type: "integer", minimum: 0, maximum: 1000000000, description: "The output limit of the request. Default: the output limit of the model, or 8192 where that is unknown", required: false },
});
ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)(AdmissionRequestDto);
describeMembers(AdmissionRequestDto, {
  interaction_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Identifies the request of the client; the same for all of its attempts" },
  attempt: { type: "integer", minimum: 1, maximum: 1000000000, description: "Number of the call to an upstream for this interaction; a fallback is another attempt" },
  gateway_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  principal: { oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" },
  provider: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  requested_model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model as the client named it" },
  model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model as the gateway names it to the upstream; its price is found by this name" },
  route: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 },
  estimate: { type: () => UsageEstimateDto },
});
describeMembers(PromptSizeTierDto, {
  inputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false },
  cachedInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false },
  cacheCreation5mInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for five minutes. Default: the input rate", required: false },
  cacheCreation1hInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for an hour. Default: the rate for five minutes, otherwise the input rate", required: false },
  cacheWriteInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache. Default: the input rate", required: false },
  audioInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false },
  cachedAudioInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens that were read from a cache. Default: the rate of cached input, otherwise of audio input, otherwise of input", required: false },
  outputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false },
  reasoningOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Reasoning tokens. Default: the output rate", required: false },
  thoughtsOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Thought tokens. Default: the output rate", required: false },
  audioOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false },
  aboveTokens: { type: "integer", minimum: 0, maximum: 1000000000, description: "Required. The tier applies to requests whose whole prompt has more tokens, cached tokens included", required: false },
});
describeMembers(AnthropicRatesDto, {
  inputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false },
  cachedInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false },
  cacheCreation5mInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for five minutes. Default: the input rate", required: false },
  cacheCreation1hInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache for an hour. Default: the rate for five minutes, otherwise the input rate", required: false },
  outputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false },
  promptSizeTiers: { isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false },
});
describeMembers(AnthropicToolRatesDto, {
  webSearchUsdPerThousand: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Web searches", required: false },
});
describeMembers(AuditEventDto, {
  id: { type: "string", format: "uuid" },
  occurred_at: { type: "string", format: "date-time", pattern: "Z$" },
  request_id: { type: "string", description: "The `X-Request-Id` of the request" },
  issuer: { type: "string", description: "The issuer of the caller’s token" },
  subject: { type: "string", description: "The subject of the caller’s token; `issuer` and `subject` identify the caller" },
  subject_id: { type: "string", description: "The caller in the form that budgets, charges and users use" },
  operation: { type: "string", description: "The name of the operation in this reference, for example `Update connector`" },
  object_kind: { type: "string", description: "The kind of the changed object", required: false },
  object_id: { type: "string", description: "The changed object, or the object of the refused request", required: false },
  outcome: { type: "string", enum: ["succeeded","forbidden"], description: "`succeeded`: the change was stored; `forbidden`: the request was answered 403" },
  changed_fields: { isArray: true, type: "string", description: "The names of the changed fields, without values" },
  occurrences: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "The number of requests; more than one if a caller was refused many times in a short time" },
});
describeMembers(AuditEventPageDto, {
  items: { isArray: true, type: () => AuditEventDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(RoleMappingDto, {
  claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Exact value of the role claim", required: false },
  matcher: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Pattern of the value instead of `claim`; `*` matches any characters", required: false },
  priority: { type: "integer", minimum: -1000000, maximum: 1000000, description: "The matching mapping with the lowest priority applies; default 0", required: false },
  role_arn: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
});
describeMembers(AwsStsAuthDto, {
  provider_id: { type: "string" },
  region: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  service: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  role_claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  role_mappings: { isArray: true, type: () => RoleMappingDto, required: false },
  fallback_role_arn: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  session_duration: { type: "integer", minimum: 900, maximum: 43200, description: "Seconds; default 3600", required: false },
  session_name_claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
});
describeMembers(AwsStsAuthWriteDto, {
  provider_id: { type: "string", format: "uuid" },
  region: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  service: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  role_claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  role_mappings: { isArray: true, type: () => RoleMappingDto, required: false },
  fallback_role_arn: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  session_duration: { type: "integer", minimum: 900, maximum: 43200, description: "Seconds; default 3600", required: false },
  session_name_claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
});
describeMembers(KubernetesSecretRefDto, {
  name: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", maxLength: 253 },
  namespace: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 },
  key: { type: "string", pattern: "^(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+$", maxLength: 253 },
});
describeMembers(SecretRefDto, {
  managed_secret_id: { type: "string", format: "uuid", required: false },
  managed_secret_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Instead of the id. It is resolved at the time of the write; a later change of the name does not change the reference", required: false },
  kubernetes_secret: { type: () => KubernetesSecretRefDto, required: false },
});
describeMembers(BearerTokenAuthWriteDto, {
  token: { type: () => SecretRefDto, required: false },
});
describeMembers(BooleanDirectiveDto, {
  value: { type: "boolean" },
  enforcement: { type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" },
});
describeMembers(BreakdownEntryDto, {
  value: { type: "string" },
  used_usd: { type: "string", description: "Exact amount in US dollars with nine fraction digits" },
  period: { type: "string", enum: ["day","month","year"], required: false },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false },
});
describeMembers(BudgetAlertDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string" },
  scope: { type: "string", enum: ["user","group"], required: false },
  subject_id: { type: "string", required: false },
  periods: { isArray: true, type: "string", enum: ["day","month","year"], required: false },
  thresholds: { isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, in ascending order" },
  url: { type: "string" },
  allow_private_ips: { type: "boolean", description: "Whether the target may have a private address and use http" },
  enabled: { type: "boolean", description: "Whether deliveries are sent. A target that responds with 410 disables its alert" },
  previous_secret_valid_until: { type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(BudgetAlertDeliveryAttemptsDto, {
  at: { type: "string", format: "date-time", pattern: "Z$" },
  status: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "HTTP status of the response", required: false },
  error: { type: "string", description: "The reason of the failure, in one sentence", required: false },
});
describeMembers(BudgetAlertDeliveryDto, {
  id: { type: "string", format: "uuid", description: "The `webhook-id` of all attempts" },
  alert_id: { type: "string", format: "uuid" },
  sequence: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Increases with each delivery; gaps have no meaning" },
  kind: { type: "string", enum: ["crossing","test"], description: "`crossing` of a threshold, or `test` by an administrator" },
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
  period: { type: "string", enum: ["day","month","year"] },
  period_start: { type: "string", format: "date-time", pattern: "Z$" },
  period_end: { type: "string", format: "date-time", pattern: "Z$" },
  threshold_percent: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  limit_usd: { type: "string" },
  used_usd: { type: "string", description: "The usage at the detection of the crossing" },
  reserved_usd: { type: "string" },
  state: { type: "string", enum: ["pending","delivered","failed"], description: "`pending` until a success or the last attempt, also while the alert is disabled; then `delivered` or `failed`" },
  attempts: { isArray: true, type: () => BudgetAlertDeliveryAttemptsDto, description: "The last 50 attempts, oldest first" },
  next_attempt_at: { type: "string", format: "date-time", pattern: "Z$", description: "The time of the next attempt of a pending delivery; during an attempt, the time at which it would be repeated", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(BudgetAlertDeliveryPageDto, {
  items: { isArray: true, type: () => BudgetAlertDeliveryDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(BudgetAlertPageDto, {
  items: { isArray: true, type: () => BudgetAlertDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(BudgetAlertWithSecretDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string" },
  scope: { type: "string", enum: ["user","group"], required: false },
  subject_id: { type: "string", required: false },
  periods: { isArray: true, type: "string", enum: ["day","month","year"], required: false },
  thresholds: { isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, in ascending order" },
  url: { type: "string" },
  allow_private_ips: { type: "boolean", description: "Whether the target may have a private address and use http" },
  enabled: { type: "boolean", description: "Whether deliveries are sent. A target that responds with 410 disables its alert" },
  previous_secret_valid_until: { type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
  secret: { type: "string", description: "The signing secret: `whsec_` and 32 bytes in base64. No other response contains it" },
});
describeMembers(BudgetAlertWriteDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Display name" },
  scope: { type: "string", enum: ["user","group"], description: "The kind of budgets to watch. Default: budgets of users and of groups", required: false },
  subject_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 1024, description: "The user or group to watch, as in budgets; requires `scope`. Default: all, including users with the default budget", required: false },
  periods: { isArray: true, type: "string", enum: ["day","month","year"], description: "The periods to watch. Default: all", required: false },
  thresholds: { isArray: true, type: "integer", minimum: 1, maximum: 1000, description: "Percentages of the limit, as integers without repetition" },
  url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The endpoint that receives deliveries. It must use https unless private addresses are allowed. Its address is checked when the alert is saved and at each delivery" },
  allow_private_ips: { type: "boolean", description: "Allows a private address and http for the host and port of `url`. Default: false", required: false },
  enabled: { type: "boolean", description: "Default: true. Deliveries of a disabled alert stay pending", required: false },
});
describeMembers(BudgetBreakdownDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
  period: { type: "string", enum: ["day","month","year"], required: false },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false },
  total_used_usd: { type: "string", description: "Exact amount in US dollars with nine fraction digits" },
  by_model: { isArray: true, type: () => BreakdownEntryDto },
  by_provider: { isArray: true, type: () => BreakdownEntryDto },
  by_user: { isArray: true, type: () => BreakdownEntryDto },
});
describeMembers(BudgetCellDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
  period: { type: "string", enum: ["day","month","year"] },
  limit_usd: { type: "string" },
  used_usd: { type: "string", description: "Sum of the charges with an event in the window" },
  remaining_usd: { type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" },
  reserved_usd: { type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" },
  on_default: { type: "boolean", description: "Whether the limit comes from the default user budget" },
  ordinal: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "Position of the payer among all payers. It is 1 for users, which pay first. Groups with a budget follow from 2 by precedence and id. A group has the same position in every list" },
});
describeMembers(BudgetCellsPageDto, {
  at: { type: "string", format: "date-time", pattern: "Z$", description: "The time that the windows contain" },
  limits_as_of: { type: "string", format: "date-time", pattern: "Z$", description: "The time of the limits. It is always the time of the response, because past limits are not stored" },
  cells: { isArray: true, type: () => BudgetCellDto },
  next_cursor: { type: "string", required: false },
});
describeMembers(BudgetSpecDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 320, description: "For users: the subject of the token, or `<issuer id>/<subject>` for further issuers. For groups: the UUID" },
  limit_usd: { type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" },
  period: { type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" },
  precedence: { type: "integer", minimum: 1, maximum: 2147483647, description: "Position of the group among the groups of a user: the group with the lowest number pays first, and groups without one pay last. Default: the stored precedence stays", required: false },
});
describeMembers(BudgetCollectionDto, {
  budgets: { isArray: true, type: () => BudgetSpecDto, description: "At most one for each subject and period" },
});
describeMembers(BudgetDenialDto, {
  id: { type: "string", format: "uuid" },
  minute: { type: "string", format: "date-time", pattern: "Z$", description: "The start of the minute of the denials" },
  last_denied_at: { type: "string", format: "date-time", pattern: "Z$" },
  denial_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The number of denials in this minute" },
  kind: { type: "string", enum: ["request","lease"] },
  reason: { type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"] },
  gateway_id: { type: "string" },
  auth_subject: { type: "string", description: "The user of the requests, as budgets name it; absent for a key that does not exist", required: false },
  virtual_key_id: { type: "string", description: "The virtual key that the client presented", required: false },
  provider: { type: "string", description: "Absent for leases", required: false },
  model: { type: "string", description: "Absent for leases", required: false },
});
describeMembers(BudgetDenialsPageDto, {
  denials: { isArray: true, type: () => BudgetDenialDto },
  next_cursor: { type: "string", description: "The cursor of the page with older denials", required: false },
});
describeMembers(BudgetSliceDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
  dimension: { type: "string", enum: ["user","model","group"] },
  period: { type: "string", enum: ["day","month","year"], required: false },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "First moment of the window", required: false },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "First moment after the window", required: false },
  total_used_usd: { type: "string", description: "Exact amount in US dollars with nine fraction digits" },
  entries: { isArray: true, type: () => BreakdownEntryDto },
});
describeMembers(CaCertificateSettingsDto, {
  pem: { type: "string", minLength: 1, description: "CA certificates in PEM format (RFC 7468); more than 512 KiB is 413", required: false },
  url: { type: "string", format: "uri", maxLength: 2048, description: "https URL of the CA certificates", required: false },
});
describeMembers(CaCertificateDirectiveDto, {
  value: { type: () => CaCertificateSettingsDto },
  enforcement: { type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" },
});
describeMembers(ChainHeadDto, {
  statement: { type: "string", enum: ["head"] },
  chain_id: { type: "string" },
  sequence: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number of the last record; 0 without records" },
  chain_hash: { type: "string", description: "`record_hash` of the record at `sequence`" },
  signed_at: { type: "string", format: "date-time", pattern: "Z$", description: "Each record that was acknowledged before this time is on this page or an earlier one" },
  hash_alg: { type: "string" },
  sig_alg: { type: "string" },
  key_id: { type: "string", description: "`kid` in the key set of this service" },
  signature: { type: "string", description: "In the form of the signature of a checkpoint" },
});
describeMembers(ChainStartDto, {
  statement: { type: "string", enum: ["chain_start"] },
  chain_id: { type: "string", description: "The chain that begins on this page" },
  previous_chain_id: { type: "string", description: "The previous chain; empty if no earlier record is stored" },
  previous_sequence: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number of the last record of the previous chain" },
  previous_hash: { type: "string", description: "`record_hash` of that record" },
  signed_at: { type: "string", format: "date-time", pattern: "Z$" },
  hash_alg: { type: "string" },
  sig_alg: { type: "string" },
  key_id: { type: "string", description: "`kid` in the key set of this service" },
  signature: { type: "string", description: "In the form of the signature of a checkpoint" },
});
describeMembers(ChangedBindingDto, {
  issuer: { type: "string" },
  claim: { type: "string", description: "The claim of the issuer’s tokens that contains the value; for `sub`, no token contains it" },
  binding_key: { type: "string", description: "Value of the claim. ASCII letters of `email`, `preferred_username`, `upn` and `unique_name` are in lower case" },
  active: { type: "boolean" },
});
describeMembers(ChangedKeyDto, {
  key_id: { type: "string" },
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
});
describeMembers(ChangedPersonDto, {
  issuer: { type: "string" },
  subject: { type: "string" },
  active: { type: "boolean", description: "False also for a user that was removed from the directory" },
});
describeMembers(ChangedUserDto, {
  user_id: { type: "string", format: "uuid" },
  issuer: { type: "string" },
  subject: { type: "string", description: "Absent if no token has identified the user yet: any subject of the issuer may be this user", required: false },
});
describeMembers(ChargeDto, {
  id: { type: "string", format: "uuid" },
  event_id: { type: "string", format: "uuid", description: "The usage event of the charge. Each event has at most one charge" },
  interaction_id: { type: "string" },
  attempt: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  event_time: { type: "string", format: "date-time", pattern: "Z$" },
  auth_subject: { type: "string", description: "The user that made the request" },
  provider: { type: "string" },
  model: { type: "string", description: "The model that served the request" },
  scope: { type: "string", enum: ["user","group"], description: "The kind of the payer: a user or a group" },
  subject_id: { type: "string", description: "The payer" },
  charged_usd: { type: "string", description: "Exact amount in US dollars with nine fraction digits" },
  basis: { type: "string", enum: ["reported","estimated","none"], description: "The source of the usage: `reported` by the provider, `estimated` by the gateway, or `none`" },
  usage: { type: 'object', additionalProperties: true, description: "The priced tokens and calls, in disjoint usage buckets" },
  period_start: { type: "string", format: "date-time", pattern: "Z$" },
  period_end: { type: "string", format: "date-time", pattern: "Z$" },
  pricing_catalog_id: { type: "string", format: "uuid", description: "The version of the pricing catalog that priced the charge" },
});
describeMembers(ChargesPageDto, {
  charges: { isArray: true, type: () => ChargeDto },
  next_cursor: { type: "string", description: "Cursor of the next page, with older charges", required: false },
});
describeMembers(ClearedConnectionDto, {
  connector_id: { type: "string", format: "uuid" },
  version: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Increases with each change of the connection, also when it is deleted and created again" },
});
describeMembers(ClientBootstrapDiscoveryDto, {
  issuer: { type: "string", description: "The OpenID provider at which users sign in" },
  client_id: { type: "string", description: "The public OAuth client for the sign-in" },
  scopes_supported: { isArray: true, type: "string", description: "The scopes for the sign-in" },
  config_endpoint: { type: "string", description: "The URL of the signed configuration" },
  jwks_uri: { type: "string", description: "The URL of the key set that verifies the signed configuration" },
  oauth_protected_resource: { type: "string", description: "The URL of the protected resource metadata (RFC 9728)" },
});
describeMembers(RegistrySettingsDto, {
  api_url: { type: "string", format: "uri", maxLength: 2048, description: "URL of the registry of MCP servers", required: false },
  server_api_url: { type: "string", format: "uri", maxLength: 2048, description: "URL of the API of the registry server", required: false },
  allow_private_ip: { type: "boolean", description: "Whether the registry may have a private IP address", required: false },
});
describeMembers(RegistryDirectiveDto, {
  value: { type: () => RegistrySettingsDto },
  enforcement: { type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" },
});
describeMembers(TelemetrySettingsDto, {
  otel_endpoint: { type: "string", format: "uri", maxLength: 2048, description: "URL of the OpenTelemetry collector", required: false },
  sampling_rate: { type: "number", minimum: 0, maximum: 1, description: "Fraction of traces that are sampled, from 0 to 1; the text of the number is kept", required: false },
  tracing_enabled: { type: "boolean", description: "Whether clients send traces", required: false },
  metrics_enabled: { type: "boolean", description: "Whether clients send metrics", required: false },
  insecure: { type: "boolean", description: "Whether clients skip the check of the collector’s certificate", required: false },
  headers: { type: 'object', additionalProperties: true, description: "Headers that clients send to the collector. Every user who signs in can read them; they must not contain secrets", selfRequired: false },
});
describeMembers(TelemetryDirectiveDto, {
  value: { type: () => TelemetrySettingsDto },
  enforcement: { type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" },
});
describeMembers(GatewaySettingsDto, {
  api_url: { type: "string", format: "uri", maxLength: 2048, description: "URL of the AI gateway", required: false },
  proxy_url: { type: "string", format: "uri", maxLength: 2048, description: "URL of the proxy in front of the AI gateway", required: false },
});
describeMembers(GatewayDirectiveDto, {
  value: { type: () => GatewaySettingsDto },
  enforcement: { type: "string", enum: ["enforced","default"], description: "`enforced`: the user cannot change the value; `default`: the value applies until the user changes it" },
});
describeMembers(DegradedModeDto, {
  policy: { type: "string", enum: ["warn","block_new"], description: "`warn`: continue and show `message`; `block_new`: continue, but start nothing new" },
  grace_period: { type: "string", maxLength: 32, description: "The time after the last read from the database for which the last known configuration is served" },
  message: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 500, description: "Message for the user" },
});
describeMembers(EnterpriseConfigDto, {
  registry: { type: () => RegistryDirectiveDto, required: false },
  non_registry_servers: { type: () => BooleanDirectiveDto, description: "Whether users may run MCP servers that are not in the registry", required: false },
  telemetry: { type: () => TelemetryDirectiveDto, required: false },
  ca_certificate: { type: () => CaCertificateDirectiveDto, required: false },
  build_env: { type: 'object', additionalProperties: true, description: "Environment variables of image builds. Every user who signs in can read them; they must not contain secrets", selfRequired: false },
  playground: { type: () => BooleanDirectiveDto, required: false },
  help_menu: { type: () => BooleanDirectiveDto, required: false },
  assistant: { type: () => BooleanDirectiveDto, required: false },
  gateway: { type: () => GatewayDirectiveDto, required: false },
  degraded_mode: { type: () => DegradedModeDto, required: false },
});
describeMembers(ClientConfigOverrideDto, {
  group_id: { type: "string", format: "uuid", description: "The override applies to the users of this group, also through subgroups" },
  precedence: { type: "integer", minimum: 0, maximum: 1000000, description: "If several overrides of a user have a directive, the one with the lowest precedence applies; each number is used once" },
  config: { type: () => EnterpriseConfigDto },
});
describeMembers(ClientConfigDto, {
  config: { type: () => EnterpriseConfigDto, description: "The base document for all users" },
  overrides: { isArray: true, type: () => ClientConfigOverrideDto, description: "The overrides of groups, by precedence" },
});
describeMembers(DegradedModeStateDto, {
  policy: { type: "string", enum: ["warn","block_new"], description: "`warn`: continue and show `message`; `block_new`: continue, but start nothing new" },
  grace_period: { type: "string", maxLength: 32, description: "The time after the last read from the database for which the last known configuration is served" },
  message: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 500, description: "Message for the user" },
  in_force: { type: "boolean", description: "True while the database is unavailable and `config` is the last known configuration; otherwise false" },
});
describeMembers(ConfigEnvelopeDto, {
  schema_version: { type: "string", description: "The version of the envelope’s format: `1`" },
  config: { type: () => EnterpriseConfigDto },
  degraded_mode: { type: () => DegradedModeStateDto, description: "Present if `config` has a degraded mode, and while the database is unavailable; see `in_force`", required: false },
  issued_at: { type: "string", format: "date-time", pattern: "Z$", description: "The time of issue. It increases with every change; clients refuse older envelopes than the one they have" },
  not_after: { type: "string", format: "date-time", pattern: "Z$", description: "The expiry: from this time on the envelope must not be used" },
  refresh_interval: { type: "string", description: "The time until the next request of the client, for example `5m`" },
  etag: { type: "string", description: "`sha256:` and the digest of the canonical `config` and `degraded_mode` (RFC 8785)" },
  signature: { type: "string", description: "Detached JWS (RFC 7515, RFC 7797, ES256) over the canonical envelope without `signature` and `etag`; its header names the client type in `aud` and the list of issuer and subject in `sub`" },
});
describeMembers(ConnectionDto, {
  id: { type: "string", format: "uuid" },
  gateway_id: { type: "string" },
  connector_id: { type: "string", format: "uuid" },
  user_id: { type: "string", format: "uuid" },
  enabled: { type: "boolean", description: "Whether the gateway offers the connector to this user" },
  tools_enabled_by_default: { type: "boolean" },
  tools_exception_list: { isArray: true, type: "string" },
  unknown_tools: { isArray: true, type: "string", description: "Exceptions for tools that a gateway did not see at the connector; they take effect when the tool exists. Absent until a gateway has seen the tools", required: false },
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"], description: "Last observation of a gateway: `ready` if no credential of the user is needed, `needs_auth` if it is missing, `connected` if it is present. Absent before the first observation", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ConnectionCreateDto, {
  gateway_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  connector_id: { type: "string", format: "uuid" },
  enabled: { type: "boolean", description: "Default true", required: false },
  tools_enabled_by_default: { type: "boolean", description: "Default true", required: false },
  tools_exception_list: { isArray: true, type: "string", minLength: 1, maxLength: 256, description: "Tools, by their upstream names, for which the opposite of the default holds; unknown names are allowed", required: false },
});
describeMembers(ConnectionEnabledWriteDto, {
  enabled: { type: "boolean" },
});
describeMembers(ConnectionPageDto, {
  items: { isArray: true, type: () => ConnectionDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ObservedConnectionStatusDto, {
  user_id: { type: "string", format: "uuid" },
  connector_id: { type: "string", format: "uuid" },
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"] },
  tools: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Names of all tools that the upstream listed for this user; absent if the gateway did not list them", required: false },
  observed_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ConnectionStatusBatchDto, {
  statuses: { isArray: true, type: () => ObservedConnectionStatusDto, description: "Invalid observations are rejected separately, without an effect on other observations" },
});
describeMembers(ConnectionStatusReceiptDto, {
  status: { type: "string", enum: ["stored","stale","rejected"], description: "`stale`: a newer observation is stored" },
  error: { type: "string", required: false },
});
describeMembers(ConnectionStatusReceiptsDto, {
  results: { isArray: true, type: () => ConnectionStatusReceiptDto },
});
describeMembers(ConnectionToolPolicyWriteDto, {
  tools_enabled_by_default: { type: "boolean" },
  tools_exception_list: { isArray: true, type: "string", minLength: 1, maxLength: 256, description: "Tools, by their upstream names, for which the opposite of the default holds; unknown names are allowed", required: false },
});
describeMembers(HeaderInjectionAuthDto, {
  header_name: { type: "string" },
});
describeMembers(UpstreamInjectAuthDto, {
  provider_id: { type: "string" },
});
describeMembers(TokenExchangeAuthDto, {
  token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The default is the token endpoint of the provider", required: false },
  client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  provider_id: { type: "string", format: "uuid", required: false },
  subject_token_type: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  external_token_header_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Header of the new token in requests to the upstream; default `Authorization`", required: false },
  client_secret_configured: { type: "boolean", required: false },
});
describeMembers(OboAuthDto, {
  provider_id: { type: "string" },
  client_id: { type: "string" },
  tenant_id: { type: "string" },
  audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  authority: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default `https://login.microsoftonline.com`", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  cache_skew: { type: "string", pattern: "^\\d{1,4}(ms|s|m)$", minLength: 1, maxLength: 2048, description: "Time before its expiry at which a token is renewed; default 60s", required: false },
});
describeMembers(XaaAuthDto, {
  provider_id: { type: "string" },
  idp_client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  idp_token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  insecure_target_token_url: { type: "boolean", description: "Allows plain http and a private address for `target_token_url` only", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  subject_token_type: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_resource: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
});
describeMembers(ConnectorAuthDto, {
  type: { type: "string", enum: ["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"] },
  header_injection: { type: () => HeaderInjectionAuthDto, required: false },
  upstream_inject: { type: () => UpstreamInjectAuthDto, required: false },
  token_exchange: { type: () => TokenExchangeAuthDto, required: false },
  aws_sts: { type: () => AwsStsAuthDto, required: false },
  obo: { type: () => OboAuthDto, required: false },
  xaa: { type: () => XaaAuthDto, required: false },
});
describeMembers(ConnectorDto, {
  id: { type: "string", format: "uuid" },
  gateway_id: { type: "string" },
  name: { type: "string" },
  slug: { type: "string", description: "Prefix of the tools at the gateway, `<slug>__<tool>`: at most 24 characters of `[a-z0-9-]`; derived from the name at creation, then constant" },
  endpoint: { type: "string" },
  transport: { type: "string", enum: ["streamable-http","sse"] },
  auth: { type: () => ConnectorAuthDto },
  allow_private_ips: { type: "boolean", description: "Whether the endpoint may have a private address and plain http" },
  deployment_mode: { type: "string", enum: ["kubernetes","proxy_remote"] },
  origin: { type: "string", enum: ["manual","kubernetes_cluster","custom_registry","gatehouse_registry"] },
  description: { type: "string", required: false },
  icon_url: { type: "string", required: false },
  repository_url: { type: "string", required: false },
  support_url: { type: "string", required: false },
  version: { type: "string", required: false },
  source_name: { type: "string", required: false },
  source_namespace: { type: "string", required: false },
  status: { type: "string", enum: ["draft","available","failure"], description: "`draft` until it is published, then the outcome of the endpoint check; users see only `available` connectors" },
  status_message: { type: "string", description: "Reason of the failed check", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(HeaderInjectionAuthWriteDto, {
  header_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  value: { type: () => SecretRefDto, required: false },
});
describeMembers(UpstreamInjectAuthWriteDto, {
  provider_id: { type: "string", format: "uuid" },
});
describeMembers(TokenExchangeAuthWriteDto, {
  token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The default is the token endpoint of the provider", required: false },
  client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  provider_id: { type: "string", format: "uuid", required: false },
  subject_token_type: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  external_token_header_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Header of the new token in requests to the upstream; default `Authorization`", required: false },
  client_secret: { type: () => SecretRefDto, required: false },
});
describeMembers(OboAuthWriteDto, {
  provider_id: { type: "string", format: "uuid" },
  client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  tenant_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  authority: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default `https://login.microsoftonline.com`", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  cache_skew: { type: "string", pattern: "^\\d{1,4}(ms|s|m)$", minLength: 1, maxLength: 2048, description: "Time before its expiry at which a token is renewed; default 60s", required: false },
  client_secret: { type: () => SecretRefDto, required: false },
});
describeMembers(XaaAuthWriteDto, {
  provider_id: { type: "string", format: "uuid" },
  idp_client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  idp_token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  insecure_target_token_url: { type: "boolean", description: "Allows plain http and a private address for `target_token_url` only", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  subject_token_type: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_audience: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_resource: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  target_token_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  idp_client_secret: { type: () => SecretRefDto, required: false },
  target_client_secret: { type: () => SecretRefDto, required: false },
});
describeMembers(ConnectorAuthWriteDto, {
  type: { type: "string", enum: ["none","bearerToken","headerInjection","upstreamInject","tokenExchange","awsSts","obo","xaa"] },
  bearer_token: { type: () => BearerTokenAuthWriteDto, required: false },
  header_injection: { type: () => HeaderInjectionAuthWriteDto, required: false },
  upstream_inject: { type: () => UpstreamInjectAuthWriteDto, required: false },
  token_exchange: { type: () => TokenExchangeAuthWriteDto, required: false },
  aws_sts: { type: () => AwsStsAuthWriteDto, required: false },
  obo: { type: () => OboAuthWriteDto, required: false },
  xaa: { type: () => XaaAuthWriteDto, required: false },
});
describeMembers(ConnectorContentControlsDto, {
  redaction_patterns: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 1000, description: "Regular expressions of RE2. Text that matches one is replaced by `[redacted]` in all that passes between clients and connectors", required: false },
  tool_pinning: { type: "string", enum: ["off","warn","quarantine"], description: "What happens to a tool whose definition is new or has changed and that no administrator has accepted: `warn` records it, `quarantine` also withholds the tool", required: false },
  elicitation_hosts: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255, description: "Hosts that URLs of elicitation may have: a name, or `*.` and a domain for the hosts below it, each with an optional port. Without entries all hosts are allowed", required: false },
});
describeMembers(GatewayLimitsDto, {
  calls_per_minute_per_person: { type: "integer", minimum: 1, maximum: 1000000, description: "Most tool calls of one user in a minute, over all replicas", nullable: true },
  calls_per_minute_per_tool: { type: "integer", minimum: 1, maximum: 1000000, description: "Most calls of one tool in a minute, by all users together and over all replicas", nullable: true },
  concurrent_calls_per_connector: { type: "integer", minimum: 1, maximum: 100000, description: "Most tool calls of one connector under way at the same time on one replica", nullable: true },
  sessions_per_person: { type: "integer", minimum: 1, maximum: 100000, description: "Most sessions of one user, over all replicas", nullable: true },
  max_argument_bytes: { type: "integer", minimum: 1, maximum: 1073741824, description: "Most bytes of the arguments of one tool call, as JSON", nullable: true },
  max_result_bytes: { type: "integer", minimum: 1, maximum: 1073741824, description: "Most bytes of the result of one tool call, as JSON", nullable: true },
});
describeMembers(GatewayContentControlsDto, {
  redaction_patterns: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 1000, description: "Regular expressions of RE2. Text that matches one is replaced by `[redacted]` in all that passes between clients and connectors" },
  tool_pinning: { type: "string", enum: ["off","warn","quarantine"], description: "What happens to a tool whose definition is new or has changed and that no administrator has accepted: `warn` records it, `quarantine` also withholds the tool" },
  elicitation_hosts: { isArray: true, type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255, description: "Hosts that URLs of elicitation may have: a name, or `*.` and a domain for the hosts below it, each with an optional port. Without entries all hosts are allowed" },
});
describeMembers(ConnectorLimitsDto, {
  calls_per_minute_per_person: { type: "integer", minimum: 1, maximum: 1000000, description: "Most tool calls of one user in a minute, over all replicas", required: false, nullable: true },
  calls_per_minute_per_tool: { type: "integer", minimum: 1, maximum: 1000000, description: "Most calls of one tool in a minute, by all users together and over all replicas", required: false, nullable: true },
  concurrent_calls_per_connector: { type: "integer", minimum: 1, maximum: 100000, description: "Most tool calls of one connector under way at the same time on one replica", required: false, nullable: true },
  sessions_per_person: { type: "integer", minimum: 1, maximum: 100000, description: "Most sessions of one user, over all replicas", required: false, nullable: true },
  max_argument_bytes: { type: "integer", minimum: 1, maximum: 1073741824, description: "Most bytes of the arguments of one tool call, as JSON", required: false, nullable: true },
  max_result_bytes: { type: "integer", minimum: 1, maximum: 1073741824, description: "Most bytes of the result of one tool call, as JSON", required: false, nullable: true },
});
describeMembers(ConnectorSettingsDto, {
  limits: { type: () => ConnectorLimitsDto, required: false },
  content: { type: () => ConnectorContentControlsDto, required: false },
});
describeMembers(ConnectorGatewaySettingsDto, {
  limits: { type: () => GatewayLimitsDto },
  content: { type: () => GatewayContentControlsDto },
  connectors: { type: 'object', additionalProperties: true, description: "Settings of single connectors, by the id of the connector" },
});
describeMembers(DynamicRegistrationConfigDto, {
  discovery_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Metadata document (RFC 8414) with the registration endpoint; the default for `oidc` is the document of the issuer", required: false },
  registration_endpoint: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Registration endpoint, instead of `discovery_url`", required: false },
  initial_access_token: { type: () => SecretRefDto, description: "Sent with the registration request (RFC 7591 section 3)", required: false },
  software_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, required: false },
  software_statement: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 16384, required: false },
});
describeMembers(OidcConfigDto, {
  issuer_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "The exact issuer; its discovery document is read when the provider is saved" },
  client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "Exactly one of `client_id` and `dcr`", required: false },
  client_secret: { type: () => SecretRefDto, description: "Without it the client is public and uses PKCE only", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", maxLength: 256, required: false },
  redirect_uri: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default is `<issuer of the connector gateway>/oauth/callback`", required: false },
  token_endpoint_auth_method: { type: "string", enum: ["client_secret_basic","client_secret_post"], required: false },
  dcr: { type: () => DynamicRegistrationConfigDto, required: false },
  send_resource: { type: "boolean", description: "Default true; whether requests for tokens name the upstream as the `resource` (RFC 8707), which some providers refuse", required: false },
  subject_claim: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "Claim with the subject of the user; default `sub`", required: false },
  additional_authorization_params: { type: 'object', additionalProperties: true, description: "Additional parameters of the authorization request; parameters of the protocol are refused", selfRequired: false },
  allow_private_ips: { type: "boolean", description: "Default false; allows private addresses and plain http for the issuer, but not for endpoints in its documents", required: false },
});
describeMembers(Oauth2ConfigDto, {
  authorization_endpoint: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  token_endpoint: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048 },
  client_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "Exactly one of `client_id` and `dcr`", required: false },
  client_secret: { type: () => SecretRefDto, description: "Without it the client is public and uses PKCE only", required: false },
  scopes: { isArray: true, type: "string", pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", maxLength: 256, required: false },
  redirect_uri: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Default is `<issuer of the connector gateway>/oauth/callback`", required: false },
  token_endpoint_auth_method: { type: "string", enum: ["client_secret_basic","client_secret_post"], required: false },
  dcr: { type: () => DynamicRegistrationConfigDto, required: false },
  send_resource: { type: "boolean", description: "Default true; whether requests for tokens name the upstream as the `resource` (RFC 8707), which some providers refuse", required: false },
  allow_private_ips: { type: "boolean", description: "Default false; allows private addresses and plain http for the configured endpoints, but not for endpoints in its documents", required: false },
});
describeMembers(ProviderDiscoveryDto, {
  status: { type: "string", enum: ["ok","none","unreachable","contradicts"], description: "`ok`: the metadata documents agree with the provider; `none`: the provider has no document; `unreachable`: a host cannot be resolved or does not answer; `contradicts`: the document of a host that was unreachable disagrees with the provider" },
  checked_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the check; a failed check is repeated every minute" },
  error: { type: "string", description: "The field and the problem; only for `unreachable` and `contradicts`", required: false },
});
describeMembers(ConnectorIdentityProviderDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string", description: "Unique; case and Unicode form do not count" },
  provider_type: { type: "string", enum: ["oidc","oauth2"] },
  registration_mode: { type: "string", enum: ["static","dcr"] },
  source: { type: "string", enum: ["api","config"] },
  oidc_config: { type: () => OidcConfigDto, required: false },
  oauth2_config: { type: () => Oauth2ConfigDto, required: false },
  discovery: { type: () => ProviderDiscoveryDto },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ConnectorIdentityProviderPageDto, {
  items: { isArray: true, type: () => ConnectorIdentityProviderDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ConnectorIdentityProviderWriteDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128 },
  provider_type: { type: "string", enum: ["oidc","oauth2"] },
  oidc_config: { type: () => OidcConfigDto, description: "Required for the type `oidc`; refused for other types", required: false },
  oauth2_config: { type: () => Oauth2ConfigDto, description: "Required for the type `oauth2`; refused for other types", required: false },
});
describeMembers(ConnectorPageDto, {
  items: { isArray: true, type: () => ConnectorDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(GroupRefDto, {
  id: { type: "string" },
  name: { type: "string", description: "Name of the group as in `GET /v1/groups`; empty if it is unknown" },
  display_name: { type: "string", description: "Display name of the group; absent if it is unknown, as in records of deleted groups", required: false },
});
describeMembers(ConnectorPolicyDto, {
  connector_id: { type: "string", format: "uuid" },
  mode: { type: "string", enum: ["structured","cedar"], description: "`structured`: the document is compiled from the granted groups; `cedar`: an administrator wrote it" },
  document: { type: "string", description: "The Cedar document; an empty document denies all requests" },
  granted_user_groups: { isArray: true, type: () => GroupRefDto, description: "Groups with access; in the mode `cedar` the groups that get access in the mode `structured`" },
});
describeMembers(ConnectorRefDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string" },
});
describeMembers(FiguresOfDto, {
  scope: { type: "string", enum: ["all_users","user"] },
  user_id: { type: "string", format: "uuid", description: "Absent for all users, and for a caller without a directory entry", required: false },
});
describeMembers(UsagePointDto, {
  bucket_start: { type: "string", format: "date-time", pattern: "Z$" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
});
describeMembers(GroupUsageSeriesDto, {
  group: { type: () => GroupRefDto },
  points: { isArray: true, type: () => UsagePointDto, description: "All buckets of the range, including those without calls" },
});
describeMembers(ConnectorUsageDto, {
  figures_of: { type: () => FiguresOfDto },
  connector_id: { type: "string", format: "uuid" },
  connector_name: { type: "string" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  bucket_width_seconds: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  group_series: { isArray: true, type: () => GroupUsageSeriesDto, description: "The 100 groups with the most calls (fewer in long series: 2,500 points in all). A call counts in all groups that its user belonged to at the time" },
});
describeMembers(ConnectorWriteDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128 },
  endpoint: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, description: "Address of the MCP server; https unless private addresses are allowed. It is checked at publication and at each call" },
  transport: { type: "string", enum: ["streamable-http","sse"] },
  draft: { type: "boolean", description: "`false` publishes the connector: the endpoint is checked, and the status becomes `available` or `failure`" },
  auth: { type: () => ConnectorAuthWriteDto, description: "The default is the type `none`", required: false },
  allow_private_ips: { type: "boolean", description: "Default false; applies to the host and port of the endpoint only", required: false },
  description: { type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, required: false },
  icon_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  repository_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  support_url: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 2048, required: false },
  version: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, required: false },
  source_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 253, required: false },
  source_namespace: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 253, required: false },
  origin: { type: "string", enum: ["manual","kubernetes_cluster","custom_registry","gatehouse_registry"], description: "Default `manual`", required: false },
});
describeMembers(SpendBucketDto, {
  date: { type: "string", format: "date" },
  usd: { type: "string", description: "Exact amount in US dollars with nine fraction digits" },
});
describeMembers(DailySpendSeriesDto, {
  granularity: { type: "string", enum: ["day"] },
  time_zone: { type: "string", description: "The time zone of the days" },
  from: { type: "string", description: "Start of the served window: a date if it is the first moment of a day in the time zone, otherwise RFC 3339" },
  to: { type: "string", description: "End of the served window, exclusive, in the same form as `from`" },
  buckets: { isArray: true, type: () => SpendBucketDto },
});
describeMembers(DefaultUserBudgetDto, {
  limit_usd: { type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" },
  period: { type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" },
});
describeMembers(DimensionCountDto, {
  key: { type: "string" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
});
describeMembers(DiscoveredServerDto, {
  id: { type: "string", format: "uuid", description: "UID of the object in the cluster; the id for admission" },
  kind: { type: "string", description: "Kind of the object, for example `MCPServer` or `Service`" },
  name: { type: "string" },
  namespace: { type: "string" },
  endpoint: { type: "string" },
  transport: { type: "string", enum: ["streamable-http","sse"] },
  group: { type: "string", description: "The group of servers that the operator in the cluster assigned", required: false },
  health: { type: "string", enum: ["ready","degraded","pending","failed","stopped","unknown"] },
  description: { type: "string", required: false },
  allow_private_ips: { type: "boolean", description: "`allow_private_ips` of its connector: true for a Service of the object’s own namespace, and if the object allows it" },
  existing_connectors: { isArray: true, type: () => ConnectorRefDto, description: "Connectors of this gateway with the same endpoint" },
});
describeMembers(DiscoveredServerAdmissionDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Name of the connector; default is the name of the server", required: false },
  draft: { type: "boolean", description: "Default true; `false` publishes the connector, after a check of the endpoint", required: false },
});
describeMembers(DiscoveredServersDto, {
  servers: { isArray: true, type: () => DiscoveredServerDto },
});
describeMembers(EntitledConnectionDto, {
  connector_id: { type: "string", format: "uuid" },
  enabled: { type: "boolean" },
  tools_enabled_by_default: { type: "boolean" },
  tools_exception_list: { isArray: true, type: "string" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the last change" },
  version: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Increases with each change of the connection, also when it is deleted and created again" },
});
describeMembers(EntitlementChangesDto, {
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The value of `after` in the next request" },
  reset: { type: "boolean", description: "`after` belongs to another database, for example a restored one: nothing that was cached is valid" },
  users: { isArray: true, type: () => ChangedUserDto, description: "Users whose groups, connections at this gateway, activity or identity have changed, and users that were created or deleted; at most 1000. A user with a changed identity is listed with the old and the new one" },
  all: { type: "boolean", description: "Whether the entitlements of all users must be requested again, since more than 1000 users have changed or the changes after `after` are not stored any more" },
});
describeMembers(EntitlementsDto, {
  user_id: { type: "string", format: "uuid" },
  issuer: { type: "string" },
  subject: { type: "string", description: "Absent until the first sign-in of a provisioned user", required: false },
  active: { type: "boolean" },
  groups: { isArray: true, type: "string", description: "Ids of all groups of the user, direct and through subgroups" },
  connections: { isArray: true, type: () => EntitledConnectionDto },
  cleared_connections: { isArray: true, type: () => ClearedConnectionDto, description: "Connections that the user deleted; the default applies to these connectors" },
  version: { type: "string", description: "Changes with each other field" },
});
describeMembers(EntityMetadataDto, {
  entity_id: { type: "string", format: "uuid" },
  entity_kind: { type: "string", enum: ["user","group"] },
  metadata: { type: 'object', additionalProperties: true, description: "The stored document. Each number keeps its text; the order of keys may differ" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ToolCallDto, {
  call_id: { type: "string", format: "uuid" },
  occurred_at: { type: "string", format: "date-time", pattern: "Z$" },
  gateway_id: { type: "string" },
  environment: { type: "string" },
  connector_id: { type: "string", format: "uuid", description: "Absent if no connector matched the slug of the call", required: false },
  connector_name: { type: "string", required: false },
  tool_name: { type: "string", description: "The name of the tool at its server; the name in the call for a tool that was not offered; with the slug if no connector matched it" },
  user_id: { type: "string", format: "uuid", required: false },
  user_email: { type: "string", required: false },
  groups: { isArray: true, type: () => GroupRefDto },
  decision: { type: "string", enum: ["allowed","denied","unspecified"] },
  outcome: { type: "string", enum: ["ok","error","unspecified"] },
  category: { type: "string", enum: ["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"] },
  billable: { type: "boolean" },
  billable_reason: { type: "string", required: false },
  definition_version: { type: "string", required: false },
  duration_ms: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, required: false },
  arguments_sha256: { type: "string", required: false },
});
describeMembers(ExportedToolCallDto, {
  id: { type: "string", format: "uuid", description: "The call_id of the record" },
  chain_id: { type: "string", description: "`<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived" },
  sequence: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Sequence number in the chain, from 1" },
  prev_hash: { type: "string", description: "`record_hash` of the previous record; empty for the first record" },
  record_hash: { type: "string", description: "Hexadecimal SHA-256 over the RFC 8785 form of {chain_id, sequence, prev_hash, usage}" },
  usage: { type: () => ToolCallDto },
});
describeMembers(ExtendedReservationDto, {
  reservation_id: { type: "string", format: "uuid" },
  expires_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(FailureBodyDto, {
  error: { type: "string", description: "The reason as one sentence" },
});
describeMembers(OpenaiRatesDto, {
  inputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false },
  cachedInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false },
  cacheWriteInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were written to a cache. Default: the input rate", required: false },
  audioInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false },
  outputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false },
  reasoningOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Reasoning tokens. Default: the output rate", required: false },
  audioOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false },
  promptSizeTiers: { isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false },
});
describeMembers(GoogleRatesDto, {
  inputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens without another rate. Required in a block", required: false },
  cachedInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Prompt tokens that were read from a cache. Default: the input rate", required: false },
  audioInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the prompt. Default: the input rate", required: false },
  cachedAudioInputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens that were read from a cache. Default: the rate of cached input, otherwise of audio input, otherwise of input", required: false },
  outputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Output tokens without another rate. Required in a block", required: false },
  thoughtsOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Thought tokens. Default: the output rate", required: false },
  audioOutputUsdPerMillion: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Audio tokens of the output. Default: the output rate", required: false },
  promptSizeTiers: { isArray: true, type: () => PromptSizeTierDto, description: "In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies", required: false },
});
describeMembers(PricingEntryDto, {
  provider: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 200, description: "The provider as gateways report it, or the provider of an alias" },
  model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 300, description: "The exact name of the model; it can contain slashes" },
  anthropic: { type: () => AnthropicRatesDto, required: false },
  openai: { type: () => OpenaiRatesDto, required: false },
  google: { type: () => GoogleRatesDto, required: false },
});
describeMembers(OpenaiToolRatesDto, {
  webSearchUsdPerThousand: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Web searches", required: false },
  fileSearchUsdPerThousand: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "File searches", required: false },
});
describeMembers(GoogleToolRatesDto, {
  groundingSearchUsdPerThousand: { type: "string", pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,12})?$", description: "Searches for grounding", required: false },
});
describeMembers(PricingToolRatesDto, {
  anthropic: { type: () => AnthropicToolRatesDto, required: false },
  openai: { type: () => OpenaiToolRatesDto, required: false },
  google: { type: () => GoogleToolRatesDto, required: false },
});
describeMembers(PricingSpecDto, {
  entries: { isArray: true, type: () => PricingEntryDto, description: "At most one entry for each model of a provider" },
  tools: { type: () => PricingToolRatesDto, required: false },
});
describeMembers(GatewayPriceListDto, {
  pricing_catalog_id: { type: "string", format: "uuid" },
  provider_aliases: { type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. The provider of an alias must not be an alias" },
  spec: { type: () => PricingSpecDto },
});
describeMembers(SnapshotConnectorAuthHeaderInjectionDto, {
  header_name: { type: "string" },
});
describeMembers(SecretVersionDto, {
  id: { type: "string", format: "uuid" },
  version: { type: "integer", minimum: 1, maximum: 9007199254740991 },
});
describeMembers(SnapshotConnectorAuthDto, {
  type: { type: "string" },
  header_injection: { type: () => SnapshotConnectorAuthHeaderInjectionDto, required: false },
  secrets: { type: 'object', additionalProperties: true, description: "Managed secrets by their field in `auth`, for example `bearer_token.token`", selfRequired: false },
  kubernetes_secrets: { type: 'object', additionalProperties: true, description: "Kubernetes secrets that the gateway reads in its cluster, by their field in `auth`", selfRequired: false },
});
describeMembers(SnapshotIdentityProviderSecretsDto, {
  id: { type: "string", format: "uuid" },
  version: { type: "integer", minimum: 1, maximum: 9007199254740991 },
});
describeMembers(SnapshotIdentityProviderDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string" },
  provider_type: { type: "string", enum: ["oidc","oauth2"] },
  registration_mode: { type: "string", enum: ["static","dcr"] },
  oidc_config: { type: 'object', additionalProperties: true, selfRequired: false },
  oauth2_config: { type: 'object', additionalProperties: true, selfRequired: false },
  secrets: { type: 'object', additionalProperties: true, description: "References by field, for example `oidc_config.client_secret`; a new value has a new version" },
  kubernetes_secrets: { type: 'object', additionalProperties: true, description: "References to secrets that the gateway reads in its cluster, by field", selfRequired: false },
});
describeMembers(SnapshotConnectorDto, {
  id: { type: "string", format: "uuid" },
  slug: { type: "string" },
  name: { type: "string" },
  description: { type: "string", required: false },
  endpoint: { type: "string" },
  transport: { type: "string", enum: ["streamable-http","sse"] },
  auth: { type: () => SnapshotConnectorAuthDto, description: "The type and its settings, as in `ConnectorAuth`, without secret values" },
  allow_private_ips: { type: "boolean" },
  identity_provider: { type: () => SnapshotIdentityProviderDto, description: "The identity provider that `auth` names", required: false },
});
describeMembers(SnapshotPolicyDto, {
  connector_id: { type: "string", format: "uuid" },
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  document: { type: "string", description: "Cedar text" },
});
describeMembers(GatewaySnapshotLimitsDto, {
  batch_calls: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Maximum number of tool-call records in a batch" },
});
describeMembers(GatewaySnapshotDto, {
  gateway_id: { type: "string" },
  connectors: { isArray: true, type: () => SnapshotConnectorDto },
  policies: { isArray: true, type: () => SnapshotPolicyDto, description: "One policy for each connector; no user may use a connector without a policy" },
  claim_mapping: { type: 'object', additionalProperties: true, description: "The claims of tokens that policies can use, with their types" },
  binding_claims: { type: 'object', additionalProperties: true, description: "By issuer: the claim that binds a token to a provisioned entry. Issuers that bind by the subject are absent" },
  limits: { type: () => GatewaySnapshotLimitsDto, description: "The limits of requests of a gateway" },
  settings: { type: () => ConnectorGatewaySettingsDto },
});
describeMembers(GroupMemberDto, {
  id: { type: "string", format: "uuid" },
  display: { type: "string" },
  type: { type: "string", enum: ["User","Group"] },
});
describeMembers(GroupDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string", description: "Derived from the display name: lower case with hyphens; `group` for a display name without letters and digits. A suffix such as `-2` makes it unique" },
  display_name: { type: "string", description: "Unique, regardless of case and Unicode form" },
  description: { type: "string" },
  source: { type: "string", enum: ["local","scim"], description: "The owner of the group. Groups with the source `scim` are changed in their provisioning directory" },
  transitive_member_count: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of direct and indirect users of the group, each counted once" },
  members: { isArray: true, type: () => GroupMemberDto, description: "Direct members, at most 1,000; only in the response for one group", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(GroupBudgetWriteDto, {
  limit_usd: { type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" },
  period: { type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" },
  precedence: { type: "integer", minimum: 1, maximum: 2147483647, description: "Position of the group among the groups of a user: the group with the lowest number pays first, and groups without one pay last. Default: the stored precedence stays", required: false },
});
describeMembers(GroupCreateDto, {
  display_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The display name of the group; it is unique, also in other case or Unicode form" },
  description: { type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, description: "The purpose of the group", required: false },
});
describeMembers(UserDto, {
  id: { type: "string", format: "uuid" },
  user_name: { type: "string", description: "Unique within the issuer" },
  display_name: { type: "string" },
  email: { type: "string", required: false },
  subject_id: { type: "string", description: "The owner reference of the user in budgets, charges and reports. Absent until the first sign-in of a provisioned user", required: false },
  photo_url: { type: "string", required: false },
  source: { type: "string", enum: ["config","scim","sign_in"], description: "The origin of the entry: the configuration, a provisioning directory, or the first sign-in" },
  active: { type: "boolean", description: "Whether the user has any access" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(GroupMembersDto, {
  direct_child_groups: { isArray: true, type: () => GroupDto },
  transitive_users: { isArray: true, type: () => UserDto },
  next_groups_cursor: { type: "string", required: false },
  prev_groups_cursor: { type: "string", required: false },
  next_users_cursor: { type: "string", required: false },
  prev_users_cursor: { type: "string", required: false },
});
describeMembers(GroupPageDto, {
  items: { isArray: true, type: () => GroupDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(GroupPatchDto, {
  display_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The display name of the group; it is unique, also in other case or Unicode form", required: false },
  description: { type: "string", pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|[\\t\\n\\r])*$", maxLength: 2000, description: "The purpose of the group", required: false },
});
describeMembers(IntegrityCheckpointDto, {
  chain_id: { type: "string" },
  sequence: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  chain_hash: { type: "string", description: "`record_hash` of the record at `sequence`" },
  hash_alg: { type: "string" },
  sig_alg: { type: "string" },
  key_id: { type: "string", description: "`kid` in the key set of this service" },
  signed_at: { type: "string", format: "date-time", pattern: "Z$" },
  signature: { type: "string", description: "ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of the checkpoint without `signature`" },
});
describeMembers(JWKSDto, {
  keys: { isArray: true, type: 'object', additionalProperties: true },
});
describeMembers(KeyChangesDto, {
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The value of `after` in the next request" },
  reset: { type: "boolean", description: "`after` belongs to another database, for example a restored one: nothing that was cached is valid" },
  keys: { isArray: true, type: () => ChangedKeyDto, description: "Keys that were created, rotated, disabled, enabled or revoked, or whose owner has a new email; at most 1000" },
  groups_changed: { type: "boolean", description: "Group memberships or names of groups have changed: cached groups and claims must be requested again" },
});
describeMembers(KeyCreateDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 255, description: "Display name; it need not be unique. Default: the prefix of the key", required: false },
  metadata: { type: 'object', additionalProperties: true, description: "Labels, at most 32: names of up to 64 characters, values of up to 512", selfRequired: false },
  ttl_seconds: { type: "integer", minimum: 0, maximum: 315360000, description: "Lifetime of the key in seconds, at most ten years; 0 or no value means that it does not expire", required: false },
});
describeMembers(KeyEncryptionVersionDto, {
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  state: { type: "string", enum: ["current","opens","missing","refused"], description: "`current` wraps new values and opens stored ones; `opens` only opens stored values; `missing` is not configured, although stored values need it; `refused` is not used, because it is configured with another key than before" },
  values: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of stored values that it wraps. An older version with 0 values can be removed from the configuration" },
});
describeMembers(KeyEncryptionStatusDto, {
  current_version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The version that wraps new values. Absent when no key is configured", required: false },
  versions: { isArray: true, type: () => KeyEncryptionVersionDto },
  rewrapping: { type: "boolean", description: "Whether the replica that answers is rewrapping values" },
});
describeMembers(VirtualKeyDto, {
  id: { type: "string", description: "Short id, which is also the public part of the key text" },
  name: { type: "string" },
  prefix: { type: "string", description: "The beginning of the key text: `gh_<id>`" },
  status: { type: "string", enum: ["active","disabled","revoked"], description: "`revoked` is permanent. A key whose `expires_at` has passed is unusable in any status" },
  disabled_by: { isArray: true, type: "string", enum: ["owner","administrator","deactivation"], description: "The reasons why the key is disabled. `owner` and `administrator` can each be undone only by the same side; `deactivation` ends when the owner’s directory entry is active again", required: false },
  owner_ref: { type: "string", description: "The owner: the subject, or `<issuer id>/<subject>` for further issuers, as in budgets and charges" },
  created_by: { type: "string", description: "The user who created the key, in the form of `owner_ref`" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", description: "Absent for a key that does not expire", required: false },
  last_used_at: { type: "string", format: "date-time", pattern: "Z$", description: "The last time at which a gateway resolved the key, requested an admission or a lease with it, or reported its usage; updated at most once a minute", required: false },
  previous_secret_valid_until: { type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false },
  metadata: { type: 'object', additionalProperties: true },
});
describeMembers(KeyListDto, {
  keys: { isArray: true, type: () => VirtualKeyDto },
});
describeMembers(KeyResolveDto, {
  secret_sha256: { type: "string", pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the whole key as the client presented it; the key itself is not sent" },
});
describeMembers(KeyWithSecretDto, {
  key: { type: () => VirtualKeyDto },
  secret: { type: "string", description: "The whole key, which clients present to the AI gateway. No other response contains it" },
});
describeMembers(LeaseAnswerPayerDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
});
describeMembers(LeaseAnswerDto, {
  lease_id: { type: "string", format: "uuid", description: "The `reservation_id` of usage that the gateway charges to the lease", required: false },
  granted_usd: { type: "string", description: "Granted amount in USD; `0` when nothing is granted" },
  reason: { type: "string", enum: ["budget_exhausted","no_budget","unpriceable","model_not_granted","key_inactive","principal_inactive"], description: "Why nothing is granted", required: false },
  payer: { type: () => LeaseAnswerPayerDto, description: "The payer from whose budget the lease takes; absent when no budget applies and spending is unlimited", required: false },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", required: false },
  pricing_catalog_id: { type: "string", format: "uuid", description: "The version of the pricing catalog that applies to usage of the lease", required: false },
  key_version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The version of the virtual key at the decision; 0 without a key", required: false },
});
ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)(LeaseRequestDto);
describeMembers(LeaseRequestDto, {
  lease_id: { type: "string", pattern: "^.{14}7.{4}[89ab]", description: "UUID v7 that the gateway generates. A repeated request with the same content returns the same lease" },
  gateway_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  principal: { oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" },
  amount_usd: { type: "string", description: "The amount that the gateway wants; a smaller amount may be granted" },
  ttl_seconds: { type: "integer", minimum: 1, maximum: 3600 },
  share_percent: { type: "integer", minimum: 1, maximum: 100, description: "The largest part of the remaining amount of a payer that may be granted, so that other gateways can lease and admit as well. Default: the whole", required: false },
});
describeMembers(LeaseReturnDto, {
  unused_usd: { type: "string", description: "The amount that no request will use. It excludes usage that the gateway has not reported yet" },
});
describeMembers(ManagedSecretDto, {
  id: { type: "string", format: "uuid" },
  name: { type: "string", description: "Unique regardless of case and Unicode form" },
  version: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "Number of the value, from 1. Each update increments it" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the last new value" },
});
describeMembers(ManagedSecretCreateDto, {
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  value: { type: "string", minLength: 1, description: "Stored encrypted and never returned. At most 64 KiB of UTF-8, otherwise 413" },
});
describeMembers(ManagedSecretPageDto, {
  items: { isArray: true, type: () => ManagedSecretDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ManagedSecretUpdateDto, {
  value: { type: "string", minLength: 1, description: "Stored encrypted and never returned. At most 64 KiB of UTF-8, otherwise 413" },
});
describeMembers(OwnBudgetCellDto, {
  scope: { type: "string", enum: ["user","group"] },
  subject_id: { type: "string" },
  period: { type: "string", enum: ["day","month","year"] },
  limit_usd: { type: "string" },
  used_usd: { type: "string", description: "Sum of the charges with an event in the window" },
  remaining_usd: { type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" },
  reserved_usd: { type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" },
  on_default: { type: "boolean", description: "Whether the limit comes from the default user budget" },
  ordinal: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "Position of the payer among all payers. It is 1 for users, which pay first. Groups with a budget follow from 2 by precedence and id. A group has the same position in every list" },
  my_contribution_usd: { type: "string", description: "Only for groups: the part of `used_usd` that the caller used", required: false },
});
describeMembers(PersonalBudgetCardDto, {
  limit_usd: { type: "string" },
  used_usd: { type: "string", description: "Sum of the charges with an event in the window" },
  remaining_usd: { type: "string", description: "`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`" },
  reserved_usd: { type: "string", description: "The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount" },
  period_start: { type: "string", format: "date-time", pattern: "Z$", description: "Start of the window, inclusive" },
  period_end: { type: "string", format: "date-time", pattern: "Z$", description: "End of the window, exclusive" },
  budgets: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The number of the caller’s own budgets in this card" },
});
describeMembers(OwnBudgetsSummaryDto, {
  subject: { type: "string", description: "The caller as budgets and charges name it" },
  budgets: { isArray: true, type: () => OwnBudgetCellDto, description: "In the order in which they pay" },
  day: { type: () => PersonalBudgetCardDto, description: "Absent when the caller has no daily budget", required: false },
  month: { type: () => PersonalBudgetCardDto, description: "Absent when the caller has no monthly budget", required: false },
});
describeMembers(OwnProfileDto, {
  issuer: { type: "string", description: "Issuer of the token; together with `subject` it identifies the caller" },
  subject: { type: "string" },
  roles: { isArray: true, type: "string", enum: ["admin","auditor","gateway","user"], description: "Roles of the token, sorted, as this service reads them; only `user` for a deactivated entry" },
  active: { type: "boolean", description: "Whether the directory has an active entry for the caller" },
  groups: { isArray: true, type: () => GroupDto, description: "Groups that contain the caller, directly or through subgroups; empty without an active entry" },
  id: { type: "string", format: "uuid", description: "Id of the directory entry. The id and the names are absent for a caller without an entry", required: false },
  user_name: { type: "string", required: false },
  display_name: { type: "string", required: false },
  email: { type: "string", required: false },
  source: { type: "string", enum: ["config","scim","sign_in"], required: false },
});
describeMembers(OwnerClaimsDto, {
  iss: { type: "string", description: "The issuer" },
  sub: { type: "string", description: "The subject" },
  email: { type: "string", description: "Missing when the directory has none", required: false },
  groups: { isArray: true, type: "string", description: "Display names of the groups, in the order of `groups` of the key" },
});
describeMembers(PeopleChangesDto, {
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "The value of `after` in the next request" },
  reset: { type: "boolean", description: "`after` belongs to another database, for example a restored one: nothing that was cached is valid" },
  people: { isArray: true, type: () => ChangedPersonDto, description: "Users that were deactivated, removed or activated, with their current state" },
  bindings: { isArray: true, type: () => ChangedBindingDto, description: "Entries without a subject that were deactivated, removed or activated before the first sign-in. Only the binding claim identifies them. `people` and `bindings` have at most 1000 members together" },
  all: { type: "boolean", description: "Whether groups of unlisted users may have changed" },
});
describeMembers(PingDto, {
});
describeMembers(PolicyDocumentWriteDto, {
  document: { type: "string", description: "Cedar policies that pass strict validation against the schema of `GET /v1/policy-schema`: without compiled grants at most 64 KiB (else 413) and 250 policies" },
});
describeMembers(PolicyGroupsWriteDto, {
  group_ids: { isArray: true, type: "string", format: "uuid", description: "All groups with access to the connector" },
});
describeMembers(PolicySchemaDto, {
  schema: { type: "string", description: "The schema in the Cedar schema language" },
  claims: { type: 'object', additionalProperties: true, description: "Type of each claim of the token; policies read a claim as `principal.claim_<name>`" },
});
describeMembers(PolicySimulationDto, {
  user_id: { type: "string", format: "uuid", description: "A user of the directory, instead of `group_ids`", required: false },
  group_ids: { isArray: true, type: "string", format: "uuid", description: "Groups of a hypothetical user, instead of `user_id`; the groups that contain them count too", required: false },
  claims: { type: 'object', additionalProperties: true, description: "Claims of the token; also for `user_id`, which implies no claims", selfRequired: false },
  action: { type: "string", enum: ["connect","list_tools","call_tool","get_prompt","read_resource"] },
  resource: { type: "string", maxLength: 8192, description: "Upstream name of the tool or prompt, or URI of the resource; refused for `connect` and `list_tools`", required: false },
  document: { type: "string", description: "Cedar document to use instead of the policy", required: false },
});
describeMembers(PolicyVerdictDto, {
  decision: { type: "string", enum: ["allow","deny"] },
  policies: { isArray: true, type: "string", description: "Names of the policies that determined the decision: `@id`, or `policy<n>`; empty if no policy permits" },
  errors: { isArray: true, type: "string", description: "Errors of the evaluation; with errors the decision is `deny`" },
  group_ids: { isArray: true, type: "string", format: "uuid", description: "The groups of the user, with the groups that contain them" },
});
describeMembers(PongDto, {
  status: { type: "string", enum: ["ok"] },
  time: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(PricingCatalogDto, {
  effective_from: { type: "string", format: "date-time", pattern: "Z$", description: "Time from which the catalog is in effect" },
  provider_aliases: { type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. The provider of an alias must not be an alias" },
  spec: { type: () => PricingSpecDto },
});
describeMembers(PricingCatalogVersionDto, {
  id: { type: "string", format: "uuid", description: "The `pricing_catalog_id` of charges" },
  effective_from: { type: "string", format: "date-time", pattern: "Z$" },
  source: { type: "string", enum: ["baseline","operator"], description: "`baseline` is the catalog of a release; it is in effect until the first write of an operator" },
  state: { type: "string", enum: ["staged","in_effect","superseded","withdrawn"], description: "`withdrawn` was deleted while it was staged; it is not listed" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  created_by: { type: "string", description: "The administrator who wrote it, as a `subject_id`", required: false },
  entry_count: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of models with a price" },
  provider_aliases: { type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. The provider of an alias must not be an alias" },
  spec: { type: () => PricingSpecDto },
});
describeMembers(PricingCatalogWriteDto, {
  effective_from: { type: "string", format: "date-time", pattern: "Z$", description: "A time in the future, with milliseconds at most, stages the catalog. Without it, or with that of the catalog in effect, the catalog has immediate effect", required: false },
  provider_aliases: { type: 'object', additionalProperties: true, description: "Other names of providers: from the alias to the provider. The provider of an alias must not be an alias. Default: no aliases", selfRequired: false },
  spec: { type: () => PricingSpecDto },
});
describeMembers(PricingEntryWriteDto, {
  anthropic: { type: () => AnthropicRatesDto, required: false },
  openai: { type: () => OpenaiRatesDto, required: false },
  google: { type: () => GoogleRatesDto, required: false },
});
describeMembers(PricingVersionDto, {
  id: { type: "string", format: "uuid", description: "The `pricing_catalog_id` of charges" },
  effective_from: { type: "string", format: "date-time", pattern: "Z$" },
  source: { type: "string", enum: ["baseline","operator"], description: "`baseline` is the catalog of a release; it is in effect until the first write of an operator" },
  state: { type: "string", enum: ["staged","in_effect","superseded","withdrawn"], description: "`withdrawn` was deleted while it was staged; it is not listed" },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  created_by: { type: "string", description: "The administrator who wrote it, as a `subject_id`", required: false },
  entry_count: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Number of models with a price" },
});
describeMembers(PricingVersionPageDto, {
  items: { isArray: true, type: () => PricingVersionDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
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
describeMembers(RechargeRequestDto, {
  from: { type: "string", description: "Only events from this time on", required: false },
  to: { type: "string", description: "Only events before this time", required: false },
  provider: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256, description: "The provider as reported", required: false },
  model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, required: false },
  limit: { type: "integer", minimum: 1, maximum: 1000, description: "Maximum number of events to charge; larger values count as 1000", required: false },
});
describeMembers(RechargeResultDto, {
  charged_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  charged_usd: { type: "string", description: "The sum of the new charges" },
  pricing_catalog_id: { type: "string", format: "uuid", description: "The version of the pricing catalog that is in effect now and priced the events", required: false },
  priceable_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Remaining events that have a price; the same request charges them" },
  unpriceable_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Remaining events without a price" },
});
describeMembers(ReservationExtendDto, {
  seconds: { type: "integer", minimum: 1, maximum: 86400, description: "Seconds from now" },
});
describeMembers(ResolvedKeyOwnerDto, {
  issuer: { type: "string" },
  subject: { type: "string" },
  user_id: { type: "string", format: "uuid" },
});
describeMembers(ResolvedKeyDto, {
  key_id: { type: "string" },
  owner: { type: () => ResolvedKeyOwnerDto },
  groups: { isArray: true, type: "string", description: "Ids of all groups of the owner, directly or through subgroups" },
  claims: { type: () => OwnerClaimsDto },
  status: { type: "string", enum: ["active"], description: "Any other status is 404" },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", description: "The end of this secret: of the key, or earlier for a secret that was replaced by a rotation", required: false },
  version: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Increases with every change of the key, and of the email of its owner" },
  cache_seconds: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "How long a gateway may use this response, counted from its request, minus `age_ms`" },
  age_ms: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Maximum age of the data in this response, in milliseconds. A gateway may use the response until `cache_seconds` after its request, minus this age" },
});
describeMembers(RevealedSecretDto, {
  value: { type: "string" },
  version: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "Version of the value, as in the gateway snapshot" },
});
describeMembers(ScimFailureDto, {
  schemas: { isArray: true, type: "string", enum: ["urn:ietf:params:scim:api:messages:2.0:Error"] },
  status: { type: "string", description: "The HTTP status as text" },
  scimType: { type: "string", enum: ["invalidFilter","tooMany","uniqueness","mutability","invalidSyntax","invalidPath","noTarget","invalidValue","invalidVers","sensitive"], required: false },
  detail: { type: "string", description: "The reason, and what to do next" },
});
describeMembers(ScimGroupInputMembersDto, {
  value: { type: "string", description: "Id of a user or group" },
  type: { type: "string", enum: ["User","Group"], required: false },
});
describeMembers(ScimGroupInputDto, {
  schemas: { isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" },
  displayName: { type: "string" },
  externalId: { type: "string", required: false },
  members: { isArray: true, type: () => ScimGroupInputMembersDto, required: false },
});
describeMembers(ScimResourceDto, {
  schemas: { isArray: true, type: "string" },
});
describeMembers(ScimListDto, {
  schemas: { isArray: true, type: "string" },
  totalResults: { type: "integer", minimum: 0, maximum: 9007199254740991 },
  startIndex: { type: "integer", minimum: 1, maximum: 9007199254740991 },
  itemsPerPage: { type: "integer", minimum: 0, maximum: 9007199254740991 },
  Resources: { isArray: true, type: () => ScimResourceDto },
});
describeMembers(ScimPatchOperationsDto, {
  op: { type: "string", description: "`add`, `remove` or `replace`, case-insensitive" },
  path: { type: "string", description: "The attribute to change. A `remove` must have a path", required: false },
});
describeMembers(ScimPatchDto, {
  schemas: { isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" },
  Operations: { isArray: true, type: () => ScimPatchOperationsDto, description: "The changes in order. An `add` or `replace` must have a `value`, of any type" },
});
describeMembers(ScimSearchRequestDto, {
  filter: { type: "string", maxLength: 100000, required: false },
  sortBy: { type: "string", maxLength: 100000, required: false },
  sortOrder: { type: "string", enum: ["ascending","descending"], description: "Case-insensitive", required: false },
  startIndex: { type: "integer", minimum: -999999999, maximum: 999999999, required: false },
  count: { type: "integer", minimum: -999999999, maximum: 999999999, required: false },
  attributes: { oneOf: [{"type":"string"}, {"type":"array"}], required: false },
  excludedAttributes: { oneOf: [{"type":"string"}, {"type":"array"}], required: false },
});
describeMembers(ScimTokenCreatedByDto, {
  issuer: { type: "string" },
  subject: { type: "string" },
});
describeMembers(ScimTokenDto, {
  id: { type: "string", format: "uuid" },
  issuer_id: { type: "string", description: "Id of the issuer whose users and groups the token provisions" },
  name: { type: "string" },
  state: { type: "string", enum: ["active","expired","revoked"] },
  scim_url: { type: "string", format: "uri", description: "Base URL for the provisioning client" },
  previous_secret_valid_until: { type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", required: false },
  revoked_at: { type: "string", format: "date-time", pattern: "Z$", required: false },
  last_used_at: { type: "string", format: "date-time", pattern: "Z$", description: "Updated at most once a minute", required: false },
  created_by: { type: () => ScimTokenCreatedByDto },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ScimTokenCreateDto, {
  issuer_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 63, description: "`id` of a configured issuer" },
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 128, description: "Display name; it need not be unique" },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", description: "Default: the token does not expire", required: false },
});
describeMembers(ScimTokenPageDto, {
  items: { isArray: true, type: () => ScimTokenDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ScimTokenWithSecretCreatedByDto, {
  issuer: { type: "string" },
  subject: { type: "string" },
});
describeMembers(ScimTokenWithSecretDto, {
  id: { type: "string", format: "uuid" },
  issuer_id: { type: "string", description: "Id of the issuer whose users and groups the token provisions" },
  name: { type: "string" },
  state: { type: "string", enum: ["active","expired","revoked"] },
  scim_url: { type: "string", format: "uri", description: "Base URL for the provisioning client" },
  previous_secret_valid_until: { type: "string", format: "date-time", pattern: "Z$", description: "After a rotation: the end of the validity of the previous secret", required: false },
  expires_at: { type: "string", format: "date-time", pattern: "Z$", required: false },
  revoked_at: { type: "string", format: "date-time", pattern: "Z$", required: false },
  last_used_at: { type: "string", format: "date-time", pattern: "Z$", description: "Updated at most once a minute", required: false },
  created_by: { type: () => ScimTokenWithSecretCreatedByDto },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$" },
  secret: { type: "string", description: "The whole token, `ghscim_…`. No other response contains it" },
});
describeMembers(ScimUserInputDto, {
  schemas: { isArray: true, type: "string", description: "URNs of the schemas of the body; they must contain the URN of the core schema or message" },
  userName: { type: "string" },
  externalId: { type: "string", required: false },
  displayName: { type: "string", required: false },
  active: { type: "boolean", required: false },
  name: { type: 'object', additionalProperties: true, selfRequired: false },
  emails: { isArray: true, type: 'object', additionalProperties: true, selfRequired: false },
});
describeMembers(SigningKeyDto, {
  kid: { type: "string", description: "The id of the key in the key set" },
  state: { type: "string", enum: ["next","current","previous"], description: "`next` is in the key set and does not sign yet, `current` signs, `previous` only verifies" },
  created_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the key was added to the key set" },
  activated_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the key began to sign", required: false },
  retired_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the key stopped signing", required: false },
  shown_until: { type: "string", format: "date-time", pattern: "Z$", description: "When the key leaves the key set", required: false },
});
describeMembers(SigningKeyListDto, {
  keys: { isArray: true, type: () => SigningKeyDto, description: "The next key, the current key, then previous keys, newest first" },
});
describeMembers(ToolCallActivityDto, {
  figures_of: { type: () => FiguresOfDto },
  records: { isArray: true, type: () => ToolCallDto },
  next_cursor: { type: "string", description: "Continues with older records", required: false },
  prev_cursor: { type: "string", description: "Continues with newer records", required: false },
});
describeMembers(ToolCallRecordGroupsDto, {
  id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false },
});
describeMembers(ToolCallRecordDto, {
  call_id: { type: "string", format: "uuid", description: "UUID v7 of the gateway. A record is stored once, also if it is delivered repeatedly" },
  occurred_at: { type: "string", format: "date-time", description: "Time of the call. A record with a future time, or older than TOOL_CALL_RETENTION_DAYS, is rejected" },
  gateway_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, description: "If present, the gateway of the path", required: false },
  environment: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, description: "Default is the environment of the enterprise manager", required: false },
  connector_id: { type: "string", pattern: "^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", required: false },
  connector_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false },
  tool_name: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 },
  user_id: { type: "string", pattern: "^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$", required: false },
  user_email: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 320, required: false },
  groups: { isArray: true, type: () => ToolCallRecordGroupsDto, required: false },
  decision: { type: "string", enum: ["allowed","denied","unspecified"] },
  outcome: { type: "string", enum: ["ok","error","unspecified"] },
  category: { type: "string", enum: ["invocation","allowed","denied","customer_retry","internal","health_check","admin","platform_retry","not_evaluated","support"] },
  billable: { type: "boolean" },
  billable_reason: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 256, required: false },
  definition_version: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", maxLength: 64, required: false },
  duration_ms: { type: "integer", minimum: 0, maximum: 2147483647, required: false },
  arguments_sha256: { type: "string", pattern: "^(?:[0-9a-f]{64})?$", required: false },
});
describeMembers(ToolCallBatchDto, {
  calls: { isArray: true, type: () => ToolCallRecordDto, description: "Invalid records are rejected separately, without an effect on other records" },
});
describeMembers(ToolCallReceiptDto, {
  status: { type: "string", enum: ["stored","duplicate","rejected"] },
  error: { type: "string", description: "The reason of a rejection, or the note that a duplicate differs from the stored record", required: false },
});
describeMembers(ToolCallReceiptsDto, {
  results: { isArray: true, type: () => ToolCallReceiptDto },
});
describeMembers(TopConnectorDto, {
  connector_id: { type: "string", format: "uuid" },
  connector_name: { type: "string", description: "The current name, or for a removed connector the name in its last record" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
});
describeMembers(TopConnectorsDto, {
  figures_of: { type: () => FiguresOfDto },
  connectors: { isArray: true, type: () => TopConnectorDto },
});
describeMembers(TopToolDto, {
  connector_id: { type: "string", format: "uuid" },
  connector_name: { type: "string", description: "The current name, or for a removed connector the name in its last record" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  tool_name: { type: "string" },
});
describeMembers(TopToolsDto, {
  figures_of: { type: () => FiguresOfDto },
  tools: { isArray: true, type: () => TopToolDto },
});
ApiExtraModels(PersonPrincipalDto, KeyPrincipalDto)(UsageReportDto);
describeMembers(UsageReportDto, {
  interaction_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  attempt: { type: "integer", minimum: 1, maximum: 1000000000, description: "Number of the attempt; each attempt of an interaction is charged once" },
  reservation_id: { type: "string", format: "uuid", description: "Id of the admission, or of the lease from which the request draws", required: false },
  event_time: { type: "string", format: "date-time", description: "The `admitted_at` of the admission, otherwise the start of the request. An admitted attempt is always charged at the time of its admission" },
  gateway_id: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  principal: { oneOf: [{ $ref: getSchemaPath(PersonPrincipalDto) }, { $ref: getSchemaPath(KeyPrincipalDto) }], description: "The user that a verified token identifies, or the virtual key that the client presented" },
  provider: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 256 },
  route: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 },
  requested_model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512 },
  model: { type: "string", pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", minLength: 1, maxLength: 512, description: "The model that served the request; its price is looked up by this name" },
  outcome: { type: "string", enum: ["delivered","client_disconnect","upstream_error","blocked_downstream"] },
  upstream_status: { type: "integer", minimum: 0, maximum: 999, description: "0 if the upstream did not answer" },
  duration_ms: { type: "integer", minimum: 0, maximum: 2147483647 },
  raw_usage: { type: 'object', additionalProperties: true, description: "The vendor’s own usage object, stored byte for byte with any keys; of a repeated key the last value counts. At most 64 KiB of JSON text and 2,000 values, otherwise the item is rejected. Null if the vendor sent none", nullable: true },
  estimated_usage: { type: 'object', additionalProperties: true, description: "The gateway’s own counts, in the same form and with the same limits; used if `raw_usage` is null", selfRequired: false, nullable: true },
});
describeMembers(UsageBatchDto, {
  events: { isArray: true, type: () => UsageReportDto, description: "Invalid reports are rejected separately, without an effect on other reports" },
});
describeMembers(UsageBucketDto, {
  bucket_start: { type: "string", format: "date-time", pattern: "Z$" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  breakdown: { isArray: true, type: () => DimensionCountDto },
});
describeMembers(UsageEventDto, {
  id: { type: "string", format: "uuid" },
  interaction_id: { type: "string" },
  attempt: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  event_time: { type: "string", format: "date-time", pattern: "Z$", description: "When the request was admitted" },
  ingest_time: { type: "string", format: "date-time", pattern: "Z$", description: "When the report arrived" },
  gateway_id: { type: "string" },
  auth_issuer: { type: "string" },
  auth_subject: { type: "string", description: "Owner reference of the user that made the request" },
  platform_user_id: { type: "string", format: "uuid", required: false },
  platform_groups: { isArray: true, type: "string", description: "Ids of the groups of the user at the time of the report" },
  virtual_key_id: { type: "string", required: false },
  reservation_id: { type: "string", format: "uuid", required: false },
  provider: { type: "string" },
  route: { type: "string" },
  requested_model: { type: "string" },
  model: { type: "string", description: "The model that served" },
  outcome: { type: "string", enum: ["delivered","blocked_downstream","client_disconnect","upstream_error"] },
  upstream_status: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  duration_ms: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  raw_usage: { type: 'object', additionalProperties: true, description: "The usage object of the provider, byte for byte; in NDJSON a space replaces each of its line breaks", selfRequired: false },
  estimated_usage: { type: 'object', additionalProperties: true, description: "The estimate of the gateway for a request without a usage object", selfRequired: false },
});
describeMembers(UsageEventsPageDto, {
  events: { isArray: true, type: () => UsageEventDto },
  next_cursor: { type: "string", description: "Continues with older events", required: false },
});
describeMembers(UsageExportDto, {
  records: { isArray: true, type: () => ExportedToolCallDto },
  checkpoints: { isArray: true, type: () => IntegrityCheckpointDto, description: "Checkpoints of records on this page, always with the last record of each chain; empty if the service has no signing key" },
  head: { type: () => ChainHeadDto, description: "Only on the newest page of an export without a filter: proves that no later record is missing", required: false },
  chain_starts: { isArray: true, type: () => ChainStartDto, description: "Chains that begin on this page; only in an export without a filter", required: false },
  next_cursor: { type: "string", description: "Continues with the next page; absent on the last page", required: false },
  resume_cursor: { type: "string", description: "Continues after this page, also if there is no later record yet" },
});
describeMembers(UsageReceiptDto, {
  status: { type: "string", enum: ["charged","duplicate","conflict","unpriceable","rejected"], description: "`duplicate`: reported before with the same content. `conflict`: reported before with other content; the first report stays. `unpriceable`: stored without a charge, because the model has no price" },
  event_id: { type: "string", format: "uuid", description: "For a repeated report, the event of the first report; absent if another gateway reported the attempt first", required: false },
  charged_usd: { type: "string", required: false },
  basis: { type: "string", enum: ["reported","estimated","none"], description: "The usage by which the charge was computed", required: false },
  error: { type: "string", required: false },
});
describeMembers(UsageReceiptsDto, {
  results: { isArray: true, type: () => UsageReceiptDto },
});
describeMembers(UsageSummaryDto, {
  figures_of: { type: () => FiguresOfDto },
  active_user_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Users that called a tool" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Allowed and denied calls" },
});
describeMembers(UsageTimeSeriesDto, {
  figures_of: { type: () => FiguresOfDto },
  bucket_width_seconds: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Width of a bucket; buckets start at multiples of it since 1970-01-01 UTC" },
  dimension: { type: "string", enum: ["environment","tool","decision","connector"], required: false },
  buckets: { isArray: true, type: () => UsageBucketDto, description: "All buckets that the range touches, without gaps. An open range begins or ends with the first or last call" },
});
describeMembers(UserBudgetWriteDto, {
  limit_usd: { type: "string", pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,9})?$", description: "Limit in USD, a decimal string. A limit below the current usage denies further requests" },
  period: { type: "string", enum: ["day","month","year"], description: "The calendar day, month or year in UTC to which the limit applies" },
});
describeMembers(UserToolUsageDto, {
  tool_name: { type: "string" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  last_activity: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(UserConnectorUsageDto, {
  connector_id: { type: "string", format: "uuid" },
  connector_name: { type: "string", description: "The current name, or for a removed connector the name in its last record" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  last_activity: { type: "string", format: "date-time", pattern: "Z$" },
  tools: { isArray: true, type: () => UserToolUsageDto },
});
describeMembers(UserPageDto, {
  items: { isArray: true, type: () => UserDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(UserUsageDto, {
  figures_of: { type: () => FiguresOfDto },
  user_id: { type: "string", format: "uuid" },
  tool_call_count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  last_activity: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the last call; absent without calls", required: false },
  bucket_width_seconds: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  series: { isArray: true, type: () => UsagePointDto, description: "All buckets of the range, including those without calls" },
  connectors: { isArray: true, type: () => UserConnectorUsageDto },
});