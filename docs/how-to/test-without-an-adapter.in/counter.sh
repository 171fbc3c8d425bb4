#!/bin/sh
# A counter that talks in lines; an argument is the number that it forgets to count beyond.
count=0
while read -r word; do
    case $word in
        up) [ "$count" = "$1" ] || count=$((count + 1)); echo ok ;;
        show) echo "count $count" ;;
        clear) count=0; echo ok ;;
        *) echo "what is $word?" ;;
    esac
done
