import { describeResourceMetadata } from '@gatehouse/testing/resource-metadata';
import { startWithIssuer } from './support/folder-service.ts';

describeResourceMetadata({ service: 'ai-gateway-mgmt', path: '/v1/info', start: startWithIssuer });
