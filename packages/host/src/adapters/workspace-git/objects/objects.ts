import type { Clock } from '../../../ports/clock.js';
import type { StateId } from '../../../ports/workspace.js';
import type { Scratch } from '../../shared/git/scratch.js';
import { Attributes } from '../comparing/attributes.js';
import { ContinuedDiff } from '../comparing/continued-diff.js';
import { InProcessDiff } from '../comparing/in-process-diff.js';
import { MAX_REMEMBERED_IGNORED } from '../limits.js';
import type { Shadow } from '../repository/shadow.js';
import { IgnoredInIndex } from '../states/ignored.js';
import { Trees } from '../states/trees.js';
import type { StoredForm } from '../stored-form/stored-form.js';
import type { ObjectReader } from './object-reader.js';
import { ObjectWriter } from './object-writer.js';
import { Placeholders } from './placeholders.js';
import { Quota } from './quota.js';
import { Recent } from './recent.js';

/** A folder's shadow repository and its objects. */
export interface Opened {
  readonly shadow: Shadow;
  readonly objects: Objects;
  /** Only with a repository. */
  readonly stored?: StoredForm;
  /** The same, with a git that this signal stops as well. */
  until(signal: AbortSignal | undefined): Opened;
}

/** Everything that works on a folder's objects in this process, without starting git. */
export class Objects {
  readonly writer: ObjectWriter;
  readonly trees: Trees;
  readonly inProcess: InProcessDiff;
  readonly continued: ContinuedDiff;
  readonly quota: Quota;
  readonly placeholders: Placeholders;
  readonly ignoredInIndex: IgnoredInIndex;
  /** Paths that git has reported as ignored since the last scan; those of folders end in a slash. */
  ignored = newIgnored();
  /** The state in the host's index; undefined while unknown. */
  inIndex: StateId | undefined;

  constructor(
    { directory, top, objectFormat, repository }: Shadow,
    reader: ObjectReader,
    clock: Clock,
    scratch: Scratch,
  ) {
    this.writer = new ObjectWriter(directory, objectFormat, clock, scratch);
    reader.setWriter(this.writer);
    this.trees = new Trees(reader, this.writer);
    this.ignoredInIndex = new IgnoredInIndex(this.trees);
    this.inProcess = new InProcessDiff(this.trees, reader, this.writer, new Attributes(this.trees, reader, repository));
    this.quota = new Quota(directory);
    this.placeholders = new Placeholders(top, directory, this.writer, this.quota);
    this.continued = new ContinuedDiff(this.trees, this.inProcess, this.placeholders);
  }

  /** Call this when the ignore rules may have changed. */
  forgetIgnored(): void {
    this.ignored = newIgnored();
  }
}

function newIgnored(): Recent<string, true> {
  return new Recent(MAX_REMEMBERED_IGNORED);
}
