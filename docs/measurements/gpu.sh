#!/bin/bash
# One turn on a machine with a GPU, under eight minutes: the speed lines of docs/performance.md (not on a processor), then
# the next open cells of the papers' tables. What is finished is kept in FOLDER, so that the next turn goes on.
#
#     docs/measurements/gpu.sh FOLDER [--device cpu] [--budget smoke] [--seconds 460] [--seeds 3] [--tables "laiz-figure13 ..."]
#
# The budget `paper` first renders its phantom, hours of a processor: run the same command on any computer before, with
# `--device cpu`, until the trainings begin, and copy FOLDER/phantom.
set -u
folder=${1:?a folder for the results}; shift
device=cuda budget=paper seconds=460 seeds=3
tables="laiz-figure13 pascual-table1 pascual-table2 laiz-table7 laiz-table8 laiz-table9 laiz-figure8 pascual-table3 pascual-table4
    laiz-table6 vats-table2 vats-table3 vats-table4 intrator-table1 intrator-table2 intrator-table3 intrator-table4 xiang-table2 xiang-table3"
while [ $# -gt 1 ]; do
    case $1 in
        --device) device=$2 ;; --budget) budget=$2 ;; --seconds) seconds=$2 ;; --seeds) seeds=$2 ;; --tables) tables=$2 ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
python=${PYTHON:-python}
mkdir -p "$folder"
left() { echo $((seconds - SECONDS)); }

# Ctrl+C after the time that is left: a training writes its checkpoint and ends; one that does not end is killed.
within() { timeout --signal=INT --kill-after=30 "$(($(left) - 30))" "$@"; }

speed=$folder/speed-$device.txt
if [ "$device" != cpu ] && [ ! -e "$speed" ]; then
    within $python -m tests.benchmarks.bench_gpu --device "$device" > "$speed.part" && mv "$speed.part" "$speed"
    cat "$speed" "$speed.part" 2> /dev/null
fi
for table in $tables; do
    done=$folder/$table-$budget-$seeds.txt
    [ -e "$done" ] && continue
    [ "$(left)" -le 45 ] && echo "Time is over; call again." && exit 75
    within $python -m training reproduce "$table" --phantom --budget "$budget" --seeds "$seeds" --device "$device" \
        --out "$folder" --set cache="$folder/phantom" > "$done.part" 2>&1
    code=$?
    tail -n 3 "$done.part"
    if [ $code = 0 ] && ! grep -q "not reached" "$done.part"; then mv "$done.part" "$done"; fi
done
[ -z "$(ls "$folder"/*.part 2> /dev/null)" ] && echo "All tables are done."
