import { parcelWatcher } from '../../src/adapters/watcher-parcel/index.js';
import { describeWatcher } from '../../src/testing/watcher-contract.js';

describeWatcher('watcher-parcel', parcelWatcher);
