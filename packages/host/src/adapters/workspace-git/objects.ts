import type { Clock } from '../../ports/clock.js';
import type { StateId } from '../../ports/workspace.js';
import type { Scratch } from '../shared/git/scratch.js';
import { Attributes } from './attributes.js';
import { Comparison } from './comparison.js';
import { FollowUps } from './follow-ups.js';
import { MAX_REMEMBERED_IGNORED } from './limits.js';
import type { ObjectReader } from './object-reader.js';
import { ObjectWriter } from './object-writer.js';
import { Recent } from './recent.js';
import { Room } from './room.js';
import type { Shadow } from './shadow.js';
import { StandIns } from './stand-ins.js';
import type { StoredForm } from './stored-form.js';
import { Trees } from './trees.js';

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
  readonly comparison: Comparison;
  readonly followUps: FollowUps;
  readonly room: Room;
  readonly standIns: StandIns;
  /** Paths that git has reported as ignored since the last full look; those of folders end in a slash. */
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
    reader.setUnwritten((id) => this.writer.unwritten(id));
    this.trees = new Trees(reader, this.writer);
    this.comparison = new Comparison(this.trees, reader, this.writer, new Attributes(this.trees, reader, repository));
    this.room = new Room(directory);
    this.standIns = new StandIns(top, directory, this.writer, this.room);
    this.followUps = new FollowUps(this.trees, this.comparison, this.standIns);
  }

  /** Call this when the ignore rules may have changed. */
  forgetIgnored(): void {
    this.ignored = newIgnored();
  }
}

function newIgnored(): Recent<string, true> {
  return new Recent(MAX_REMEMBERED_IGNORED);
}
