#!/bin/sh
# Every table of the README, one process at a time.
cd "$(dirname "$0")" && mkdir -p out
node run.mjs speed 20000 > out/speed.txt
node run.mjs storm 1000000 > out/storm.txt
node run.mjs storm 150000 1 restarts > out/storm-restarts.txt
node run.mjs storm 150000 1 takeovers > out/storm-takeovers.txt
node run.mjs mutate 500000 1 storm > out/mutate-storm.txt
node run.mjs mutate 300000 1 restarts > out/mutate-restarts.txt
node run.mjs mutate 300000 1 takeovers > out/mutate-takeovers.txt
node presume.mjs conditions 60000 > out/presume-conditions.txt
node presume.mjs loss 350000 > out/presume-loss.txt
node run.mjs assume 70000 > out/assume.txt
node run.mjs calm 200000 > out/calm.txt
node presume.mjs both 60000 > out/presume-both.txt
node run.mjs durable 40000 > out/durable.txt
node run.mjs today 100000 > out/today.txt
node run.mjs union 60000 > out/union.txt
node run.mjs adopt 25000 > out/adopt.txt
node stories.mjs > out/stories.txt
