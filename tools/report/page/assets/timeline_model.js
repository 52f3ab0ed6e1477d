// Records of a timeline, task by task, from packed blocks, and how the time of any window is shared out among
// activities: exact sums over whole chunks of records, records one by one only at the borders of pixels.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});

  const chunk_records = 64, nobody = 0xffffffff;

  class TimelineModel {
    /// spec: activities [{name}], quantum (cycles of a step), origin (cycle of step 0), rows: blocks task, lane,
    /// records; blocks gap (zigzag varint: begin less the end before it), length (varint), activity (u8 or u16), and,
    /// if known, peer (u32: the task that it waits for, or `nobody`). path: blocks begin, end (steps), from, task: a
    /// way through rows.
    static async load(spec, context) {
      const model = new TimelineModel(), names = Object.keys(spec.blocks);
      const blocks = await Promise.all(names.map((name) => context.block(spec.blocks[name].block)));
      const raw = Object.fromEntries(names.map((name, ix) => [name, blocks[ix]]));
      model.spec = spec;
      model.task = raw.task;
      model.lane = raw.lane;
      model.rows = raw.task.length;
      model.activity = raw.activity;
      model.peer = raw.peer || null;
      if (spec.path) {
        const parts = Object.keys(spec.path),
          path = await Promise.all(parts.map((name) => context.block(spec.path[name].block)));
        model.path = Object.fromEntries(parts.map((name, ix) => [name, path[ix]]));
      }
      model.records = raw.activity.length;
      model.activities = spec.activities.length;
      model.first = new Uint32Array(model.rows + 1);
      for (let row = 0; row < model.rows; ++row) model.first[row + 1] = model.first[row] + raw.records[row];
      model.unpack(raw.gap, raw.length, spec.steps < 4294967296 ? Uint32Array : Float64Array);
      return model;
    }

    /// Begins and ends of records; chunks of records of one row: extent, and steps of each activity. All in one pass,
    /// which takes half the time of several over arrays of this size.
    unpack(gaps, lengths, Steps) {
      const { rows, activities, activity, first, records } = this;
      const begin = (this.begin = new Steps(records)), end = (this.end = new Steps(records));
      this.chunk_first = new Uint32Array(rows + 1);
      for (let row = 0; row < rows; ++row)
        this.chunk_first[row + 1] = this.chunk_first[row] + Math.ceil((first[row + 1] - first[row]) / chunk_records);
      const chunks = this.chunk_first[rows];
      this.chunk_begin = new Float64Array(chunks);
      this.chunk_end = new Float64Array(chunks);
      const sums = (this.chunk_steps = new Float32Array(chunks * activities));
      let gap_at = 0, length_at = 0, chunk = 0, latest = 0;
      for (let row = 0; row < rows; ++row) {
        // Ends never fall from chunk to chunk, even where records lie inside others, so that they can be searched.
        let last = 0, high = 0;
        for (let from = first[row]; from < first[row + 1]; from += chunk_records, ++chunk) {
          const to = Math.min(first[row + 1], from + chunk_records), base = chunk * activities;
          for (let ix = from; ix < to; ++ix) {
            let gap = gaps[gap_at++], length = lengths[length_at++];
            if (gap > 127) {
              gap &= 127;
              for (let unit = 128, more = true; more; unit *= 128) {
                const byte = gaps[gap_at++];
                gap += (byte & 127) * unit;
                more = byte > 127;
              }
            }
            if (length > 127) {
              length &= 127;
              for (let unit = 128, more = true; more; unit *= 128) {
                const byte = lengths[length_at++];
                length += (byte & 127) * unit;
                more = byte > 127;
              }
            }
            last += gap % 2 === 1 ? -(gap + 1) / 2 : gap / 2;
            begin[ix] = last;
            last += length;
            end[ix] = last;
            sums[base + activity[ix]] += length;
            if (last > high) high = last;
          }
          this.chunk_begin[chunk] = begin[from];
          this.chunk_end[chunk] = high;
        }
        if (high > latest) latest = high;
      }
      this.steps = Math.max(latest, this.spec.steps, 1);
    }

    /// Steps of each activity of a row in each of `columns` equal parts of [from, to): out[(column * activities) + a]
    /// +=. Returns how many records and chunks were looked at.
    accumulate(row, from, to, columns, out, at) {
      const { activities, begin, end, activity, chunk_begin, chunk_end, chunk_steps } = this,
        per = columns / (to - from);
      let looked = 0;
      for (let chunk = this.chunk_at(row, from); chunk < this.chunk_first[row + 1]; ++chunk) {
        if (chunk_begin[chunk] >= to) break;
        if (chunk_end[chunk] <= from) continue;
        const low = Math.floor((chunk_begin[chunk] - from) * per), high = Math.floor((chunk_end[chunk] - from) * per);
        if (low === high && low >= 0 && low < columns) {
          const base = at + low * activities, sums = chunk * activities;
          for (let a = 0; a < activities; ++a) out[base + a] += chunk_steps[sums + a];
          ++looked;
          continue;
        }
        const start = this.first[row] + (chunk - this.chunk_first[row]) * chunk_records;
        const stop = Math.min(this.first[row + 1], start + chunk_records);
        looked += stop - start;
        let column = Math.max(0, low), edge = from + (column + 1) / per, base = at + column * activities;
        for (let ix = start; ix < stop; ++ix) {
          let b = begin[ix], e = end[ix];
          if (b < from) b = from;
          if (e > to) e = to;
          if (e <= b) continue;
          // Most records lie in the column of the one before, or begin there.
          if (b >= edge || b < edge - 1 / per) {
            column = Math.min(columns - 1, Math.floor((b - from) * per));
            edge = from + (column + 1) / per;
            base = at + column * activities;
          }
          const a = activity[ix];
          while (e > edge && column < columns - 1) {
            out[base + a] += edge - b;
            b = edge;
            ++column;
            edge = from + (column + 1) / per;
            base += activities;
          }
          out[base + a] += e - b;
        }
      }
      return looked;
    }

    /// The first chunk of a row that may reach beyond a step; records of a row are in order of their begin.
    chunk_at(row, step) {
      let low = this.chunk_first[row], high = this.chunk_first[row + 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.chunk_end[middle] <= step) low = middle + 1;
        else high = middle;
      }
      return low;
    }

    /// The record of a row at a step, of several the last that began; -1 where there is none.
    record_at(row, step) {
      let found = -1;
      for (
        let chunk = this.chunk_at(row, step);
        chunk < this.chunk_first[row + 1] && this.chunk_begin[chunk] <= step;
        ++chunk
      ) {
        const start = this.first[row] + (chunk - this.chunk_first[row]) * chunk_records;
        const stop = Math.min(this.first[row + 1], start + chunk_records);
        for (let ix = start; ix < stop && this.begin[ix] <= step; ++ix) if (this.end[ix] > step) found = ix;
      }
      return found;
    }

    /// Calls f(record) for the records of a row that reach into [from, to).
    each(row, from, to, f) {
      for (
        let chunk = this.chunk_at(row, from);
        chunk < this.chunk_first[row + 1] && this.chunk_begin[chunk] < to;
        ++chunk
      ) {
        const start = this.first[row] + (chunk - this.chunk_first[row]) * chunk_records;
        const stop = Math.min(this.first[row + 1], start + chunk_records);
        for (let ix = start; ix < stop && this.begin[ix] < to; ++ix) if (this.end[ix] > from) f(ix);
      }
    }

    /// The number of the first stretch of the path that ends behind a step.
    path_at(step) {
      let low = 0, high = this.path.end.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.path.end[middle] <= step) low = middle + 1;
        else high = middle;
      }
      return low;
    }

    /// The first row of a task; -1: it has none.
    row_of(task) {
      if (!this.row_by_task) {
        this.row_by_task = new Map();
        for (let row = this.rows - 1; row >= 0; --row) this.row_by_task.set(this.task[row], row);
      }
      const row = this.row_by_task.get(task);
      return row === undefined ? -1 : row;
    }

    /// For whom a record waits, as a name; "" if for nobody.
    waits_for(record) {
      if (!this.peer || this.peer[record] === nobody) return "";
      const row = this.row_of(this.peer[record]);
      return row >= 0 ? this.row_name(row) : `task ${this.peer[record]}`;
    }

    cycles(step) { return this.spec.origin + step * this.spec.quantum; }
    /// Tasks with rows from `first` up to `end`.
    tasks_in(first, end) {
      let tasks = 0;
      for (let row = first; row < end; ++row) tasks += row === first || this.task[row] !== this.task[row - 1] ? 1 : 0;
      return tasks;
    }
    task_name(row) {
      const names = this.spec.tasks, task = this.task[row];
      return names && names[task] ? names[task] : `task ${task}`;
    }
    row_name(row) {
      const lane = this.lane[row];
      return this.task_name(row) + (lane > 0 || this.several_lanes ? `, lane ${lane}` : "");
    }
  }
  weft.TimelineModel = TimelineModel;
})();
