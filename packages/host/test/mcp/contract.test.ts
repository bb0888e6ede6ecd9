import { sdkMcp } from '../../src/adapters/mcp-sdk/index.js';
import { describeMcp } from '../../src/testing/mcp-contract.js';

describeMcp('mcp-sdk', () => sdkMcp());
